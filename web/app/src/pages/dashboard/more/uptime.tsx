import type {
  GetStatusPageResponse,
  StatusPageMonitor,
} from "../../../../../../packages/client-js/src/gen/lookout/v1/status_page_pb.ts";
import type {
  ListMonitorsResponse,
  Monitor,
} from "../../../../../../packages/client-js/src/gen/lookout/v1/uptime_pb.ts";
import { may } from "../../../api/session.ts";
import type { CallState } from "../../../api/useCall.ts";
import { hrefTo } from "../../../router/router.ts";
import { t } from "../../../texts/texts.ts";
import { Loaded } from "../../../ui/loaded.tsx";
import { DayBars } from "../../../ui/uptime/dayBars.tsx";
import { isBeforeMonitor, isKnown } from "../../../ui/uptime/shownDay.ts";
import { State } from "../../../ui/uptime/state.tsx";
import { formatUptime } from "../../../ui/uptime/uptimeText.ts";
import { useDashboard } from "../context.ts";
import { partError } from "../partError.tsx";
import { checksOfMonitor } from "./checksOfMonitor.ts";

const fewMonitors = 6;

type UptimeProps = {
  readonly status: CallState<GetStatusPageResponse>;
  readonly monitors: CallState<ListMonitorsResponse>;
  readonly days: number;
};

/** The monitors of the website in the days on screen. */
export function Uptime({ status, monitors, days }: UptimeProps) {
  const { websiteId } = useDashboard();
  const { more: texts, uptime } = t();
  const hasNone = status.value?.monitors.length === 0;
  const isAnswered = hasNone || monitors.value !== undefined || monitors.error !== undefined;
  return (
    <section class="panel" aria-labelledby="panel-uptime" data-panel="uptime">
      <div class="panel-head">
        <h2 id="panel-uptime">{uptime.title}</h2>
        <span class="field-hint">{uptime.lastDays(days)}</span>
      </div>
      <div class="panel-body">
        <Loaded
          state={isAnswered ? status : { ...status, value: undefined }}
          height="9rem"
          failed={partError}
          empty={may("write:uptime") ? uptime.noMonitors : uptime.noMonitorsToSee}
          isEmpty={(page) => page.monitors.length === 0}
        >
          {(page) => (
            <ul class="small-monitors">
              {page.monitors.slice(0, fewMonitors).map((monitor) => (
                <Row
                  key={monitor.id}
                  monitor={monitor}
                  websiteId={websiteId}
                  known={monitors.value?.monitors.find(({ id }) => id === monitor.id)}
                />
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

type RowProps = {
  readonly monitor: StatusPageMonitor;
  readonly websiteId: string;
  /** Undefined if it could not be read. */
  readonly known: Monitor | undefined;
};

function Row({ monitor, websiteId, known }: RowProps) {
  const { uptime } = t();
  const isChecked = monitor.days.some(isKnown);
  const bars = monitor.days.map((day) => ({
    timestamp: day.date,
    status: day.status,
    uptimePercent: day.uptimePercent ?? 0,
    coveragePercent: day.coveragePercent,
    isBefore: isBeforeMonitor(day.date, known?.createdAt),
  }));
  const checks = checksOfMonitor(monitor, known, Date.now());
  return (
    <li class="small-monitor" data-monitor={monitor.id}>
      <a href={hrefTo(["uptime", websiteId, "monitor", monitor.id])}>{monitor.name}</a>
      <State name={monitor.status} />
      <data value={monitor.uptimePercent}>
        {isChecked ? formatUptime(monitor.uptimePercent ?? 0, checks) : uptime.states.unknown}
      </data>
      <DayBars days={bars} />
    </li>
  );
}
