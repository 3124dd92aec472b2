import { countDays, daysOf } from "../../../figures/days.ts";
import type { OwnRange, Range } from "../../../figures/range.ts";

/** Periods that the service finds, and none. */
export const comparisons = ["weekdays", "previous", "year", "none"] as const;

export type NamedComparison = (typeof comparisons)[number];

/** What a range is compared with. */
export type Comparison = NamedComparison | OwnRange;

/** Ranges with a neighbour of the same name: the day, month or year before. */
const named: ReadonlySet<string> = new Set(["today", "yesterday", "this_month", "last_month", "this_year"]);

/**
 * What a view compares with. Other ranges than a day, a month or a year are compared with the same days of the week, which differ more from each
 * other than weeks do; twelve months with those of the year before. Before all time there is nothing.
 */
export function comparisonIn({
  compare,
  range,
}: {
  readonly compare: Comparison | undefined;
  readonly range: Range;
}): Comparison {
  if (!("preset" in range)) return compare ?? "weekdays";
  if (range.preset === "all") return "none";
  if (compare !== undefined) return compare;
  if (range.preset === "last_12m") return "year";
  return named.has(range.preset) ? "previous" : "weekdays";
}

/** The other period in words that a text can be made of. `weeks` is how many weeks before the same weekdays are. */
export type ComparedWith =
  | { readonly kind: "none" | "day" | "month" | "year" | "yearBefore" | "hours" }
  | { readonly kind: "days" | "weeks"; readonly count: number }
  | ({ readonly kind: "own" } & OwnRange);

export function comparedWith(compare: Comparison, range: Range, today: string): ComparedWith {
  if (typeof compare !== "string") return { kind: "own", ...compare };
  if (compare === "none") return { kind: "none" };
  if (compare === "year") return { kind: "yearBefore" };
  const count = countDays(daysOf(range, today));
  if (compare === "weekdays") return { kind: "weeks", count: Math.ceil(count / 7) };
  const preset = "preset" in range ? range.preset : undefined;
  if (preset === "last_24h") return { kind: "hours" };
  if (preset === "this_month" || preset === "last_month") return { kind: "month" };
  if (preset === "this_year") return { kind: "year" };
  return count === 1 ? { kind: "day" } : { kind: "days", count };
}
