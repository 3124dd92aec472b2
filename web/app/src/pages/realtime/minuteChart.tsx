import { useSignal } from "@preact/signals";
import type { RealtimeVelocityRow } from "../../../../../packages/client-js/src/rows.ts";
import { formatCount } from "../../texts/format.ts";
import { formatClock } from "../../texts/formatTime.ts";
import { allTexts } from "../../texts/settings/settingsTexts.ts";
import { ScrollArea } from "../../ui/scrollArea.tsx";
import { TableToggle } from "../../ui/tableToggle.tsx";
import { highestMinute, type MinuteBar, minuteBars, totalsOf } from "./minutes.ts";

type MinuteChartProps = {
  readonly rows: readonly RealtimeVelocityRow[] | undefined;
  readonly zone: string;
  readonly isWaiting: boolean;
};

/** The last 30 minutes: a bar for each, with page views below and custom events above. The running minute is hatched. */
export function MinuteChart({ rows, zone, isWaiting }: MinuteChartProps) {
  const { realtime: texts, panels, app } = allTexts();
  const showsTable = useSignal(false);
  const bars = minuteBars(rows ?? []);
  return (
    <div class="minute-chart" data-panel="minutes">
      <div class="panel-head">
        <ul class="minute-legend" aria-hidden="true">
          <li data-part="views">{texts.views}</li>
          <li data-part="events">{texts.customEvents}</li>
          <li data-part="running">{texts.running}</li>
        </ul>
        <TableToggle showsTable={showsTable} />
      </div>
      {rows === undefined ? (
        <div class="minutes">{isWaiting ? <p class="said">{app.loading}</p> : <p>{panels.notLoaded}</p>}</div>
      ) : showsTable.value ? (
        <MinuteTable bars={bars.toReversed()} zone={zone} />
      ) : (
        <Bars bars={bars} highest={highestMinute(rows)} zone={zone} />
      )}
    </div>
  );
}

type BarsProps = { readonly bars: readonly MinuteBar[]; readonly highest: number; readonly zone: string };

function Bars({ bars, highest, zone }: BarsProps) {
  const { realtime: texts } = allTexts();
  const { views, events } = totalsOf(bars);
  const title = ({ minute, views, events, visitors }: MinuteBar) =>
    texts.minute(formatClock(minute, zone, "minutes"), formatCount(views), formatCount(events), formatCount(visitors));
  return (
    <>
      <div
        class="minutes"
        role="img"
        aria-label={texts.summary(formatCount(views), formatCount(events), formatCount(highest))}
      >
        <span class="minutes-top">{formatCount(highest)}</span>
        {bars.map((bar) => (
          <span
            key={bar.minute}
            class="minute"
            title={title(bar)}
            data-running={bar.isRunning}
            data-count={bar.views + bar.events}
            style={{ "--views": String(bar.viewShare), "--events": String(bar.eventShare) }}
          >
            <span class="minute-events" />
            <span class="minute-views" />
          </span>
        ))}
      </div>
      <p class="minutes-axis" aria-hidden="true">
        <span>{texts.minutesAgo(bars.length - 1)}</span>
        <span>{texts.minutesAgo(Math.round((bars.length - 1) / 2))}</span>
        <span>{texts.thisMinute}</span>
      </p>
    </>
  );
}

function MinuteTable({ bars, zone }: { readonly bars: readonly MinuteBar[]; readonly zone: string }) {
  const { realtime: texts, dashboard } = allTexts();
  return (
    <ScrollArea class="minute-table" label={texts.halfHour}>
      <table class="plain-table">
        <thead>
          <tr>
            <th scope="col">{texts.minuteName}</th>
            <th scope="col">{dashboard.metrics.pageviews}</th>
            <th scope="col">{texts.customEvents}</th>
            <th scope="col">{dashboard.metrics.visitors}</th>
          </tr>
        </thead>
        <tbody>
          {bars.map(({ minute, views, events, visitors, isRunning }) => (
            <tr key={minute}>
              <th scope="row">
                {formatClock(minute, zone, "minutes")}
                {isRunning && <span class="field-hint"> {texts.running}</span>}
              </th>
              <td>{formatCount(views)}</td>
              <td>{formatCount(events)}</td>
              <td>{formatCount(visitors)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  );
}
