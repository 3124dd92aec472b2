import { useSignal } from "@preact/signals";
import type { GetStatusResponse } from "../../../../../../packages/client-js/src/gen/lookout/v1/uptime_pb.ts";
import type { CallState } from "../../../api/useCall.ts";
import { formatCount, formatDay } from "../../../texts/format.ts";
import { allTexts } from "../../../texts/settings/settingsTexts.ts";
import { Loaded } from "../../../ui/loaded.tsx";
import { ScrollArea } from "../../../ui/scrollArea.tsx";
import { TableToggle } from "../../../ui/tableToggle.tsx";
import { DayBars } from "../../../ui/uptime/dayBars.tsx";
import { dayMs, isKnown } from "../../../ui/uptime/shownDay.ts";
import { State } from "../../../ui/uptime/state.tsx";
import { checksBetween, formatUptime } from "../../../ui/uptime/uptimeText.ts";
import { daysOf, type MonitorDay, shownDays, useDays } from "../history.ts";
import type { MonitorPartProps } from "../partProps.ts";

type AvailabilityProps = MonitorPartProps & { readonly status: CallState<GetStatusResponse> };

const daysOfSpan = { last24h: 1, last7d: 7, last30d: 30, last90d: 90 } as const;
const spans = ["last24h", "last7d", "last30d", "last90d"] as const;

/** Uptime of four time spans with their coverage, and a bar for each day. */
export function Availability({ monitor, refresh, status }: AvailabilityProps) {
  const { uptime: texts } = allTexts();
  const days = useDays(monitor.id, { refresh });
  const showsTable = useSignal(false);
  return (
    <section class="panel" aria-labelledby="availability" data-panel="availability">
      <div class="panel-head">
        <h2 id="availability">{texts.availability}</h2>
        <TableToggle showsTable={showsTable} />
      </div>
      <div class="panel-part">
        <Loaded state={status} height="5rem">
          {({ uptime, coverage }) => (
            <dl class="facts facts-plain">
              {spans.map((span) => {
                const covered = coverage?.[span] ?? 0;
                const nowMs = Date.now();
                const checks = checksBetween(nowMs - daysOfSpan[span] * dayMs, nowMs, covered, monitor);
                return (
                  <div class="fact" key={span}>
                    <dt>{texts.spans[span]}</dt>
                    <dd class="fact-figure">
                      <data value={uptime?.[span] ?? 0} data-figure={`uptime-${span}`}>
                        {covered > 0 ? formatUptime(uptime?.[span] ?? 0, checks) : texts.states.unknown}
                      </data>
                    </dd>
                    <dd class="field-hint">
                      <data value={covered} data-figure={`coverage-${span}`}>
                        {texts.checked(formatUptime(covered, checks))}
                      </data>
                    </dd>
                  </div>
                );
              })}
            </dl>
          )}
        </Loaded>
        <Loaded state={days} height="4rem">
          {(history) => (
            <>
              <DayBars days={daysOf(history, monitor.createdAt)} />
              <p class="days-scale" aria-hidden="true">
                <span>{texts.daysAgo(shownDays)}</span>
                <span>{texts.today}</span>
              </p>
              <Legend />
              {showsTable.value && <DayTable days={daysOf(history, monitor.createdAt)} />}
            </>
          )}
        </Loaded>
      </div>
    </section>
  );
}

/** Explains the colours. */
function Legend() {
  const { uptime: texts } = allTexts();
  return (
    <ul class="legend">
      {(["up", "degraded", "down"] as const).map((state) => (
        <li key={state}>
          <State name={state} />
        </li>
      ))}
      <li>
        <span class="state" data-state="partly-down">
          <span class="state-sign" aria-hidden="true" />
          {texts.partlyDown}
        </span>
      </li>
      <li>
        <span class="state" data-state="unknown">
          <span class="state-sign" aria-hidden="true" />
          {texts.notChecked}
        </span>
      </li>
    </ul>
  );
}

function DayTable({ days }: { readonly days: readonly MonitorDay[] }) {
  const { uptime: texts, dashboard } = allTexts();
  return (
    <ScrollArea class="chart-table" label={texts.availability}>
      <table class="plain-table">
        <thead>
          <tr>
            <th scope="col">{dashboard.day}</th>
            <th scope="col">{texts.availability}</th>
            <th scope="col">{texts.coverage}</th>
            <th scope="col">{texts.checks}</th>
            <th scope="col">{texts.failures}</th>
          </tr>
        </thead>
        <tbody>
          {days
            .filter(({ isBefore }) => !isBefore)
            .toReversed()
            .map((day) => (
              <tr key={day.timestamp}>
                <th scope="row">{formatDay(day.timestamp)}</th>
                <td>{isKnown(day) ? formatUptime(day.uptimePercent, day.checks) : texts.states.unknown}</td>
                <td>{formatUptime(day.coveragePercent, day.checks)}</td>
                <td>{formatCount(day.checks)}</td>
                <td>{formatCount(day.failures)}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </ScrollArea>
  );
}
