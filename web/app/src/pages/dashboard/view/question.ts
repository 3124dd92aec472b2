import type {
  Compare,
  Filter,
  LookoutQuery,
  Range as QueryRange,
} from "../../../../../../packages/client-js/src/query.ts";
import { countDays, daysOf, firstOfMonth, lastHours } from "../../../figures/days.ts";
import { isServicePreset, type Range } from "../../../figures/range.ts";
import { type Comparison, comparisonIn } from "./comparison.ts";
import type { Granularity, View } from "./view.ts";

/** What all queries of a view have in common. */
export type Subject = {
  readonly websiteId: string;
  readonly timezone: string;
  readonly filters?: readonly Filter[];
};

export type Scope = Subject & QueryRange;

/** When a view was opened, and the first day that figures are kept of: that of all time. */
export type Clock = { readonly nowMs: number; readonly today: string; readonly since: string | undefined };

export function subjectOf(view: View, websiteId: string, timezone: string): Subject {
  const { filters } = view;
  return { websiteId, timezone, ...(filters.length === 0 ? {} : { filters }) };
}

export function scopeOf(view: Pick<View, "range">, subject: Subject, clock: Clock): Scope {
  return { ...subject, ...queryRange(view.range, subject.timezone, clock) };
}

/** The service has its own presets; it gets the days of the others, and the hours of the last 24. */
function queryRange(range: Range, zone: string, { nowMs, today, since }: Clock): QueryRange {
  if ("preset" in range && isServicePreset(range.preset)) return { preset: range.preset };
  if ("preset" in range && range.preset === "last_24h") {
    const { from, to } = lastHours(zone, nowMs);
    return { startDate: from, endDate: to };
  }
  const { first, last } = daysOf(range, today, since);
  return { startDate: first, endDate: last };
}

/** The same with the period that it is compared with. */
export function compared(scope: Scope, view: View): Scope & Pick<LookoutQuery, "compare"> {
  const compare = comparisonIn(view);
  return compare === "none" ? scope : { ...scope, compare: queryComparison(compare) };
}

/** What is asked first: the key figures, with those of the other period. */
export function keyFiguresQuestion(scope: Scope, view: View) {
  return { ...compared(scope, view), parameters: ["summary_metrics"] } as const;
}

/** A comparison in the form of queries. */
export function queryComparison(compare: Exclude<Comparison, "none">): Compare {
  return typeof compare === "string" ? compare : { startDate: compare.from, endDate: compare.to };
}

/** The same scope without filters. */
export function unfiltered(scope: Scope): Scope {
  return { ...scope, filters: [] };
}

/** The service's limit of days by the hour. */
export const mostDaysByHour = 30;

/** With more points a line of days is a thicket. */
const mostDaysByDay = 100;
/** Weeks and months of which there are fewer say nothing. */
const leastDays = { weekly: 14, monthly: 59 } as const;

/** The bucket sizes that suit a range of this many days. */
export function granularitiesOf(days: number): Granularity[] {
  return [
    ...(days <= mostDaysByHour ? (["hourly"] as const) : []),
    "daily",
    ...(days >= leastDays.weekly ? (["weekly"] as const) : []),
    ...(days >= leastDays.monthly ? (["monthly"] as const) : []),
  ];
}

export function granularityOf(
  view: Pick<View, "range" | "granularity">,
  { today, since }: Omit<Clock, "nowMs">,
): Granularity {
  const days = daysOf(view.range, today, since);
  const count = countDays(days);
  const chosen = granularitiesOf(count).find((choice) => choice === view.granularity);
  if (chosen !== undefined) return chosen;
  if (count <= 2) return "hourly";
  if (count <= mostDaysByDay) return "daily";
  // Months where the first one is whole.
  return days.first === firstOfMonth(days.first) ? "monthly" : "weekly";
}
