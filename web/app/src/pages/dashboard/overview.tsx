import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { measuresAudienceOnly } from "../../api/audienceOnly.ts";
import type { LookoutError } from "../../api/client.ts";
import { may } from "../../api/session.ts";
import { daysOf, localTime } from "../../figures/days.ts";
import { KeyListButton } from "../../keys/keyListButton.tsx";
import { useTitle } from "../../shell/useTitle.ts";
import { WaitingPage } from "../../shell/waitingPage.tsx";
import { t } from "../../texts/texts.ts";
import { ErrorNotice } from "../../ui/errorNotice.tsx";
import { startWholePrints } from "../../ui/wholePage.ts";
import { Bar } from "./bar/bar.tsx";
import { FirstCard } from "./chart/firstCard.tsx";
import { DashboardProvider, mayAsk } from "./context.ts";
import { live, liveChanges, startLive } from "./live.ts";
import { Panel } from "./panels/panel.tsx";
import { panels } from "./panels/panels.ts";
import { useKeptSince } from "./unknown/useKeptSince.ts";
import { useClock } from "./useClock.ts";
import { view as currentView } from "./view/currentView.ts";
import { granularityOf, scopeOf, subjectOf } from "./view/question.ts";
import "../../styles/dashboard.css";
import "../../styles/definition.css";
import "../../styles/panels.css";

type OverviewProps = {
  readonly websiteId: string;
  readonly name: string;
  readonly timezone: string;
  /** If false, only figures of a public dashboard are asked for. */
  readonly isMember: boolean;
  /** The query types that the link of a shared dashboard answers; undefined elsewhere. */
  readonly types?: readonly string[];
  /** Below the name. */
  readonly children?: ComponentChildren;
};

/** Key figures, chart and panels of a website. */

export function Overview({ websiteId, name, timezone, isMember, types, children }: OverviewProps) {
  const view = currentView.value;
  const nowMs = useClock(timezone, view.range);
  const isAllTime = "preset" in view.range && view.range.preset === "all";
  const start = useKeptSince(websiteId, timezone, isAllTime);
  const since = isAllTime ? start.day : undefined;
  const key = JSON.stringify([view, websiteId, timezone, nowMs, since]);
  const context = useMemo(() => {
    const now = localTime(timezone, nowMs);
    const clock = { nowMs, today: now.day, since };
    const subject = subjectOf(view, websiteId, timezone);
    return {
      websiteId,
      view,
      subject,
      scope: scopeOf(view, subject, clock),
      days: daysOf(view.range, now.day, since),
      granularity: granularityOf(view, clock),
      now,
    };
  }, [key]);
  const watched = JSON.stringify(context.scope);
  const isAsked = (type: string) => mayAsk({ types }, type);
  const hasCard = isAsked("summary_metrics") && isAsked("events_by_date");
  const isLive = hasCard && isAsked("active_stats");
  useEffect(() => (isLive ? startLive(context.scope) : undefined), [watched, isLive]);
  useEffect(startWholePrints, []);
  useTitle(name);
  const seesGoals = isMember && may("read:data");
  const goal = seesGoals ? view.goal : undefined;
  const later = useLater();
  const known = {
    // What waits for the key figures does not wait where there are none.
    hasFigures: useSignal(!hasCard),
    isRangeUnknown: useSignal(false),
    isComparable: useSignal(false),
    visitors: useSignal<number | null | undefined>(undefined),
    failure: useSignal<LookoutError | undefined>(undefined),
  };
  // All time begins with the first day that is kept.
  if (isAllTime && start.error !== undefined) return <ErrorNotice error={start.error} onRetry={start.retry} />;
  if (isAllTime && !start.isKnown) return <WaitingPage />;
  return (
    <DashboardProvider value={{ ...context, goal, refresh: liveChanges.value, isMember, types, ...known }}>
      <h1 class="said">{name}</h1>
      <Bar />
      <div class="dashboard" data-live={live.value.state}>
        {children}
        {hasCard && <FirstCard />}
        {seesGoals && (later === undefined ? <div class="panel goals-later" /> : <later.GoalStrip key={websiteId} />)}
        <div class="panels">
          {panels
            .filter(({ id, lists }) => firstPanels.has(id) && lists.some(({ type }) => isAsked(type)))
            .map((panel) => (
              <Panel key={panel.id} panel={panel} />
            ))}
        </div>
        {types === undefined && (later === undefined ? <div class="panel lines-later" /> : <later.Lines />)}
        <p class="field-hint overview-foot">
          {t().dashboard.timeZone(measuresAudienceOnly(websiteId) ? "UTC" : timezone)} <KeyListButton />
        </p>
        <p class="print-note">{t().dashboard.printNote}</p>
      </div>
    </DashboardProvider>
  );
}

/** The panels that are always open; the others are lines that open. */
const firstPanels: ReadonlySet<string> = new Set(["sources", "pages", "places", "devices"]);

type Later = typeof import("./more/more.tsx");

/** The parts that are loaded after the first figures are on screen. */
function useLater(): Later | undefined {
  const later = useSignal<Later | undefined>(undefined);
  const isShown = live.value.state !== "connecting";
  useEffect(() => {
    if (!isShown) return;
    void import("./more/more.tsx").then((module) => {
      later.value = module;
    });
  }, [isShown, later]);
  return later.value;
}
