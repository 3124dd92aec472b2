import { formatDay } from "../../texts/format.ts";
import { t } from "../../texts/texts.ts";
import { downShare, isKnown, isPartlyDown, type ShownDay } from "./shownDay.ts";
import { stateOf } from "./state.tsx";
import { formatUptime } from "./uptimeText.ts";

/**
 * A bar for each day. Its coloured part is as high as the part of the day that was checked; the rest is grey, since
 * nothing is known of it. Of a day that was down for a part of its checks that part is red.
 */
export function DayBars({ days }: { readonly days: readonly ShownDay[] }) {
  return (
    <div class="days" role="img" aria-label={summaryOf(days)}>
      {days.map((day) => (
        <span
          key={day.timestamp}
          class="day"
          data-state={isKnown(day) ? stateOf(day.status) : day.isBefore ? "before" : "unknown"}
          data-partly-down={isPartlyDown(day) ? "true" : undefined}
          style={{
            "--known": String(isKnown(day) ? Math.max(day.coveragePercent, 5) / 100 : 0),
            "--down": String(downShare(day)),
          }}
          title={`${formatDay(day.timestamp)}: ${titleOf(day)}`}
        />
      ))}
    </div>
  );
}

function titleOf(day: ShownDay): string {
  const { uptime: texts } = t();
  if (day.isBefore) return texts.notYet;
  if (!isKnown(day)) return texts.dayUnknown;
  const { uptimePercent, coveragePercent, checks } = day;
  const figures = texts.dayWithCoverage(formatUptime(uptimePercent, checks), formatUptime(coveragePercent, checks));
  return isPartlyDown(day) ? `${texts.partlyDown}, ${figures}` : figures;
}

/** How many days were how, for people who do not see the bars. */
function summaryOf(days: readonly ShownDay[]): string {
  const { uptime: texts } = t();
  const counts = Map.groupBy(
    days.filter(({ isBefore }) => !isBefore),
    (day) =>
      !isKnown(day) ? texts.states.unknown : isPartlyDown(day) ? texts.partlyDown : texts.states[stateOf(day.status)],
  );
  return [texts.lastDays(days.length), ...[...counts].map(([state, of]) => `${state}: ${of.length}`)].join(", ");
}
