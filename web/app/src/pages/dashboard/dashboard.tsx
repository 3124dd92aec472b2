import { useEffect, useMemo } from "preact/hooks";
import { session, sessionState } from "../../api/session.ts";
import { loadWebsites, websites } from "../../api/websites.ts";
import { writeStored } from "../../preferences/stored.ts";
import { place } from "../../router/router.ts";
import { useHeaderSlot } from "../../shell/headerSlot.ts";
import { NotFound } from "../../shell/notFound.tsx";
import { t } from "../../texts/texts.ts";
import { ErrorNotice } from "../../ui/errorNotice.tsx";
import { Chart } from "./chart/chart.tsx";
import { DashboardProvider } from "./context.ts";
import { Controls } from "./controls.tsx";
import { KeyFigures } from "./figures/keyFigures.tsx";
import { FilterBar } from "./filterBar.tsx";
import { live, liveChanges, startLive } from "./live.ts";
import { LiveLine } from "./liveLine.tsx";
import { Panel } from "./panels/panel.tsx";
import { panels } from "./panels/panels.ts";
import { view as currentView } from "./view/currentView.ts";
import { localTime } from "./view/days.ts";
import { granularityOf, scopeOf, subjectOf } from "./view/question.ts";
import { WebsiteMenu } from "./websiteMenu.tsx";
import "../../styles/dashboard.css";
import "../../styles/definition.css";

/** /dashboard/<website>: the overview of a website. */
export default function Dashboard() {
  useHeaderSlot(WebsiteMenu);
  const organizationId = session.value?.organizationId;
  useEffect(() => void loadWebsites(), [organizationId]);
  const websiteId = place.value.segments[1] ?? "";
  const state = websites.value;
  if (state.kind === "failed") return <ErrorNotice error={state.error} onRetry={() => void loadWebsites()} />;
  if (state.kind === "loading") return null;
  const website = state.websites.find(({ id }) => id === websiteId);
  if (website === undefined) return <NotFound />;
  return <Overview key={websiteId} websiteId={websiteId} name={website.name} timezone={website.timezone} />;
}

type OverviewProps = { readonly websiteId: string; readonly name: string; readonly timezone: string };

function Overview({ websiteId, name, timezone }: OverviewProps) {
  const view = currentView.value;
  const key = JSON.stringify([view, websiteId, timezone]);
  const context = useMemo(() => {
    const now = localTime(timezone, Date.now());
    const subject = subjectOf(view, websiteId, timezone);
    return { websiteId, view, subject, scope: scopeOf(view, subject), granularity: granularityOf(view, now.day), now };
  }, [key]);
  const watched = JSON.stringify(context.scope);
  useEffect(() => startLive(context.scope), [watched]);
  useEffect(() => writeStored("website", websiteId), [websiteId]);
  useEffect(() => {
    document.title = `${name} · ${t().app.name}`;
  });
  return (
    <DashboardProvider
      value={{ ...context, refresh: liveChanges.value, isMember: sessionState.value.kind === "signed in" }}
    >
      <div class="dashboard" data-live={live.value.state}>
        <div class="dashboard-head">
          <div>
            <h1>{name}</h1>
            <LiveLine />
          </div>
          <Controls />
        </div>
        <FilterBar />
        <KeyFigures />
        <Chart />
        <div class="panels">
          {panels.map((panel) => (
            <Panel key={panel.id} panel={panel} />
          ))}
        </div>
        <p class="field-hint">{t().dashboard.timeZone(timezone)}</p>
      </div>
    </DashboardProvider>
  );
}
