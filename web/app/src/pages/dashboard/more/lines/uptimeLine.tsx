import { may } from "../../../../api/session.ts";
import { useCall } from "../../../../api/useCall.ts";
import { countDays } from "../../../../figures/days.ts";
import { hrefTo } from "../../../../router/router.ts";
import { t } from "../../../../texts/texts.ts";
import { DayBars } from "../../../../ui/uptime/dayBars.tsx";
import { useDashboard } from "../../context.ts";
import { useMarks } from "../marks.ts";
import { statusPages, uptime as uptimeService } from "../services.ts";
import { Uptime } from "../uptime.tsx";
import { Facts } from "./facts.tsx";
import { Line } from "./line.tsx";
import { Waiting } from "./said.tsx";
import { daysOfAll, uptimeFacts } from "./uptimeFacts.ts";

/** The service's limit of days of a status page. */
const mostDays = 90;

/** The monitors of the website. Passes the chart its marks. */
export function UptimeLine() {
  const { websiteId, days: range, now } = useDashboard();
  const texts = t();
  const days = Math.min(mostDays, countDays({ first: range.first, last: now.day }));
  const status = useCall(`status of ${websiteId} ${days}`, (signal) =>
    statusPages.getStatusPage({ websiteId, days }, { signal }),
  );
  useMarks(status.value);
  // The answer about the days does not say since when monitors exist.
  const monitors = useCall(
    `monitors of ${websiteId}`,
    (signal) => uptimeService.listMonitors({ websiteId }, { signal }),
    { isWanted: (status.value?.monitors.length ?? 0) > 0 },
  );
  const page = status.value;
  const known = monitors.value?.monitors ?? [];
  const isKnown = monitors.value !== undefined || monitors.error !== undefined;
  const hasNone = page?.monitors.length === 0;
  return (
    <Line
      id="uptime"
      title={texts.uptime.title}
      facts={
        page === undefined ? (
          status.error === undefined ? (
            <Waiting />
          ) : (
            texts.panels.notLoaded
          )
        ) : hasNone ? (
          may("write:uptime") ? (
            <>
              {texts.lines.noMonitors} <a href={hrefTo(["uptime", websiteId])}>{texts.lines.addMonitor}</a>
            </>
          ) : (
            texts.uptime.noMonitorsToSee
          )
        ) : isKnown ? (
          <Facts facts={uptimeFacts(page, known, texts, Date.now())} />
        ) : (
          <Waiting />
        )
      }
      aside={page !== undefined && !hasNone && isKnown && <DayBars days={daysOfAll(page.monitors, known)} />}
    >
      <Uptime status={status} monitors={monitors} days={days} />
    </Line>
  );
}
