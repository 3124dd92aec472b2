import { formatDay, formatPercent } from "../../texts/format.ts";
import { t } from "../../texts/texts.ts";
import { stateOf } from "./state.tsx";

/** A day of a monitor, possibly before the monitor existed. */
export type ShownDay = {
  readonly timestamp: string;
  readonly status: string;
  readonly uptimePercent: number;
  readonly coveragePercent: number;
  readonly isBefore: boolean;
};

/** Availability is only known if something was checked. */
export function isKnown({ coveragePercent }: { readonly coveragePercent: number }): boolean {
  return coveragePercent > 0;
}

/** Uptime with enough decimals to distinguish 99.99 % from 100 %. */
export function formatUptime(percent: number): string {
  return formatPercent(percent, 3);
}

/**
 * A bar for each day. Its coloured part shows how much of the day was checked; the rest is grey, since nothing is known of it.
 */
export function DayBars({ days }: { readonly days: readonly ShownDay[] }) {
  const { uptime: texts } = t();
  return (
    <div class="days" role="img" aria-label={summaryOf(days)}>
      {days.map((day) => (
        <span
          key={day.timestamp}
          class="day"
          data-state={isKnown(day) ? stateOf(day.status) : day.isBefore ? "before" : "unknown"}
          style={{ "--known": String(isKnown(day) ? Math.max(day.coveragePercent, 5) / 100 : 0) }}
          title={`${formatDay(day.timestamp)}: ${
            day.isBefore
              ? texts.notYet
              : isKnown(day)
                ? texts.dayWithCoverage(formatUptime(day.uptimePercent), formatUptime(day.coveragePercent))
                : texts.dayUnknown
          }`}
        />
      ))}
    </div>
  );
}

/** The number of days by state, for people who do not see the bars. */
function summaryOf(days: readonly ShownDay[]): string {
  const { uptime: texts } = t();
  const counts = Map.groupBy(
    days.filter(({ isBefore }) => !isBefore),
    (day) => (isKnown(day) ? stateOf(day.status) : "unknown"),
  );
  return [
    texts.lastDays(days.length),
    ...[...counts].map(([state, of]) => `${texts.states[state]}: ${of.length}`),
  ].join(", ");
}
