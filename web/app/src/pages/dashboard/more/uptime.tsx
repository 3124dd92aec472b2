import type {
  GetStatusPageResponse,
  StatusPageMonitor,
} from "../../../../../../packages/client-js/src/gen/lookout/v1/status_page_pb.ts";
import { may } from "../../../api/session.ts";
import type { CallState } from "../../../api/useCall.ts";
import { hrefTo } from "../../../router/router.ts";
import { t } from "../../../texts/texts.ts";
import { Loaded } from "../../../ui/loaded.tsx";
import { DayBars, formatUptime, isKnown } from "../../../ui/uptime/dayBars.tsx";
import { State } from "../../../ui/uptime/state.tsx";
import { useDashboard } from "../context.ts";

const fewMonitors = 6;

type UptimeProps = { readonly status: CallState<GetStatusPageResponse>; readonly days: number };

/** The monitors of the website in the days on screen. */
export function Uptime({ status, days }: UptimeProps) {
  const { websiteId } = useDashboard();
  const { more: texts, uptime } = t();
  return (
    <section class="panel" aria-labelledby="panel-uptime" data-panel="uptime">
      <div class="panel-head">
        <h2 id="panel-uptime">{uptime.title}</h2>
        <span class="field-hint">{uptime.lastDays(days)}</span>
      </div>
      <div class="panel-body">
        <Loaded
          state={status}
          height="18rem"
          empty={may("write:uptime") ? uptime.noMonitors : uptime.noMonitorsToSee}
          isEmpty={(page) => page.monitors.length === 0}
        >
          {(page) => (
            <ul class="small-monitors">
              {page.monitors.slice(0, fewMonitors).map((monitor) => (
                <Row key={monitor.id} monitor={monitor} websiteId={websiteId} />
              ))}
            </ul>
          )}
        </Loaded>
      </div>
      <div class="panel-foot">
        <a class="button button-plain" href={hrefTo(["uptime", websiteId])}>
          {texts.toUptime}
        </a>
      </div>
    </section>
  );
}

function Row({ monitor, websiteId }: { readonly monitor: StatusPageMonitor; readonly websiteId: string }) {
  const { uptime } = t();
  const isChecked = monitor.days.some(isKnown);
  const bars = monitor.days.map((day) => ({
    timestamp: day.date,
    status: day.status,
    uptimePercent: day.uptimePercent,
    coveragePercent: day.coveragePercent,
    isBefore: false,
  }));
  return (
    <li class="small-monitor" data-monitor={monitor.id}>
      <a href={hrefTo(["uptime", websiteId, "monitor", monitor.id])}>{monitor.name}</a>
      <State name={monitor.status} />
      <data value={monitor.uptimePercent}>
        {isChecked ? formatUptime(monitor.uptimePercent) : uptime.states.unknown}
      </data>
      <DayBars days={bars} />
    </li>
  );
}
