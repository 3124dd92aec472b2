import { useEffect, useRef } from "preact/hooks";
import type { Monitor } from "../../../../../../packages/client-js/src/gen/lookout/v1/uptime_pb.ts";
import { may } from "../../../api/session.ts";
import { hrefTo } from "../../../router/router.ts";
import { formatMs } from "../../../texts/formatTime.ts";
import { allTexts } from "../../../texts/settings/settingsTexts.ts";
import { ActionButton } from "../../../ui/actionButton.tsx";
import { Sparkline } from "../../../ui/spark/sparkline.tsx";
import { DayBars } from "../../../ui/uptime/dayBars.tsx";
import { isKnown } from "../../../ui/uptime/shownDay.ts";
import { State } from "../../../ui/uptime/state.tsx";
import { formatUptime } from "../../../ui/uptime/uptimeText.ts";
import { useOnScreen } from "../../../ui/useOnScreen.ts";
import { daysOf, lastDays, useDays } from "../history.ts";
import { uptime } from "../services.ts";
import { ChosenBox } from "./chosenBox.tsx";
import { useResponseFigures } from "./monitorFigures.ts";
import { shownAddress } from "./shownAddress.ts";
import type { KnownRow } from "./sortedRows.ts";

/** So many days are in the list; the page of a monitor has more. */
export const listDays = 30;

type MonitorRowProps = {
  readonly monitor: Monitor;
  /** Undefined until known. */
  readonly state: string | undefined;
  readonly refresh: number;
  /** Whether its figures are needed although it is not on screen, because rows are sorted by them. */
  readonly isWanted: boolean;
  readonly isChosen: boolean;
  readonly onChoose: (isChosen: boolean) => void;
  readonly onKnown: (row: Pick<KnownRow, "p95Ms" | "summary">) => void;
  readonly onChange: () => void;
};

/** A monitor of the list: state, days, response times, uptime beside what of it was checked. */
export function MonitorRow({ monitor, state, refresh, isWanted, onKnown, onChange, ...choice }: MonitorRowProps) {
  const { uptime: texts, app } = allTexts();
  const { id, websiteId, name, interval, regions } = monitor;
  const element = useRef<HTMLTableRowElement>(null);
  const isOnScreen = useOnScreen(element);
  const options = { refresh, isWanted: isWanted || isOnScreen };
  const days = useDays(id, options, listDays);
  const times = useResponseFigures(id, lastDays(Date.now(), listDays), options);
  const summary = days.value?.summary;
  const { p50Ms, p95Ms } = times.value ?? {};
  useEffect(() => onKnown({ p95Ms, summary }), [p95Ms, summary]);
  const ms = (value: number | null | undefined): string =>
    value === undefined ? "" : value === null ? "–" : formatMs(value);
  return (
    <tr class="monitor" ref={element} data-monitor={id}>
      {may("write:uptime") && (
        <td class="monitor-choice">
          <ChosenBox label={texts.choose(name)} {...choice} />
        </td>
      )}
      <td class="monitor-state">
        {state === undefined ? <span class="said">{app.loading}</span> : <State name={state} />}
      </td>
      <th scope="row" class="monitor-name">
        <a href={hrefTo(["uptime", websiteId, "monitor", id])}>{name}</a>
        <span class="field-hint">
          {[
            shownAddress(monitor.url),
            texts.intervals[interval as keyof typeof texts.intervals] ?? interval,
            ...(regions.length > 1 ? [texts.regionCount(regions.length)] : []),
          ].join(" · ")}
        </span>
      </th>
      <td class="monitor-days">
        {days.value === undefined ? (
          <div class="days days-waiting">
            {days.error !== undefined && <span class="field-hint">{texts.noDays}</span>}
          </div>
        ) : (
          <DayBars days={daysOf(days.value, monitor.createdAt)} />
        )}
      </td>
      <td class="monitor-spark">
        <Sparkline values={times.value?.days} />
      </td>
      <td class="monitor-p50">{ms(p50Ms)}</td>
      <td class="monitor-p95">{ms(p95Ms)}</td>
      <td class="monitor-figures">
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
      </td>
      {may("write:uptime") && (
        <td class="monitor-tools">
          <ActionButton
            class="button button-plain"
            about={name}
            onAct={async () => {
              await (monitor.status === "active" ? uptime.pauseMonitor({ id }) : uptime.resumeMonitor({ id }));
              onChange();
            }}
          >
            {monitor.status === "active" ? texts.pause : texts.resume}
          </ActionButton>
        </td>
      )}
    </tr>
  );
}
