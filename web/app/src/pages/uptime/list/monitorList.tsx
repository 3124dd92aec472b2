import { useRef } from "preact/hooks";
import type { Monitor } from "../../../../../../packages/client-js/src/gen/lookout/v1/uptime_pb.ts";
import { may } from "../../../api/session.ts";
import { useCall } from "../../../api/useCall.ts";
import { hrefTo } from "../../../router/router.ts";
import { allTexts } from "../../../texts/settings/settingsTexts.ts";
import { Loaded } from "../../../ui/loaded.tsx";
import { DayBars } from "../../../ui/uptime/dayBars.tsx";
import { isKnown } from "../../../ui/uptime/shownDay.ts";
import { State } from "../../../ui/uptime/state.tsx";
import { formatUptime } from "../../../ui/uptime/uptimeText.ts";
import { useEvery } from "../../../ui/useEvery.ts";
import { useOnScreen } from "../../../ui/useOnScreen.ts";
import { daysOf, shownDays, useDays } from "../history.ts";
import type { PartProps } from "../partProps.ts";
import { refreshMs, statusPages, uptime } from "../services.ts";

/** The monitors of a website with their state and their last 90 days. */
export function MonitorList({ website: { id: websiteId, name } }: PartProps) {
  const { uptime: texts } = allTexts();
  const refresh = useEvery(refreshMs);
  const monitors = useCall(`monitors of ${websiteId}`, (signal) => uptime.listMonitors({ websiteId }, { signal }), {
    refresh,
  });
  // The states come from the status page, which also knows of maintenance.
  const states = useCall(
    `states of ${websiteId}`,
    (signal) => statusPages.getStatusPage({ websiteId, days: 1 }, { signal }),
    { refresh },
  );
  const stateOfMonitor = (monitor: Monitor): string | undefined =>
    monitor.status === "stopped" || monitor.status === "paused"
      ? monitor.status
      : states.value === undefined && states.error === undefined
        ? undefined
        : (states.value?.monitors.find(({ id }) => id === monitor.id)?.status ?? "unknown");
  return (
    <>
      <div class="page-head">
        <div>
          <h1>{texts.title}</h1>
          <p class="field-hint">{texts.listText(name)}</p>
        </div>
        {may("write:uptime") && (
          <a class="button button-main" href={hrefTo(["uptime", websiteId, "new"])}>
            {texts.newMonitor}
          </a>
        )}
      </div>
      <section class="panel" aria-label={texts.monitors} data-panel="monitors">
        <Loaded
          state={monitors}
          height="12rem"
          empty={may("write:uptime") ? texts.noMonitors : texts.noMonitorsToSee}
          isEmpty={(list) => list.total === 0}
        >
          {(list) => (
            <ul class="monitors">
              {list.monitors.map((monitor) => (
                <MonitorRow key={monitor.id} monitor={monitor} state={stateOfMonitor(monitor)} refresh={refresh} />
              ))}
            </ul>
          )}
        </Loaded>
      </section>
      <p class="field-hint">{texts.daysAreUtc}</p>
    </>
  );
}

type MonitorRowProps = {
  readonly monitor: Monitor;
  /** Undefined until known. */
  readonly state: string | undefined;
  readonly refresh: number;
};

function MonitorRow({ monitor, state, refresh }: MonitorRowProps) {
  const { uptime: texts, app } = allTexts();
  const element = useRef<HTMLLIElement>(null);
  const isWanted = useOnScreen(element);
  const days = useDays(monitor.id, { refresh, isWanted });
  const summary = days.value?.summary;
  return (
    <li class="monitor" ref={element} data-monitor={monitor.id}>
      <div class="monitor-name">
        <a href={hrefTo(["uptime", monitor.websiteId, "monitor", monitor.id])}>{monitor.name}</a>
        <span class="monitor-state">
          {state === undefined ? <span class="said">{app.loading}</span> : <State name={state} />}
        </span>
      </div>
      <div class="monitor-days">
        {days.value === undefined ? (
          <div class="days days-waiting">
            {days.error !== undefined && <span class="field-hint">{texts.noDays}</span>}
          </div>
        ) : (
          <DayBars days={daysOf(days.value, monitor.createdAt)} />
        )}
        <p class="days-scale" aria-hidden="true">
          <span>{texts.daysAgo(shownDays)}</span>
          <span>{texts.today}</span>
        </p>
      </div>
      <div class="monitor-figures">
        {summary !== undefined && (
          <>
            <data class="monitor-uptime" value={summary.uptimePercent} data-known={isKnown(summary)}>
              {isKnown(summary) ? formatUptime(summary.uptimePercent, summary.totalChecks) : texts.states.unknown}
            </data>
            <data class="field-hint" value={summary.coveragePercent}>
              {texts.checked(formatUptime(summary.coveragePercent, summary.totalChecks))}
            </data>
          </>
        )}
      </div>
    </li>
  );
}
