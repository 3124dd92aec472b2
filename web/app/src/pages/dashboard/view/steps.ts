import { addDays, addMonths, countDays, type Days, daysOf, firstOfMonth } from "../../../figures/days.ts";
import type { Preset, Range } from "../../../figures/range.ts";

/**
 * The range before (-1) or after (1) one, equally long: whole months, such as a year, move by months, everything else by days. The days before the
 * last 24 hours are yesterday. Undefined where there is none: after now, and beside all time.
 */
export function stepRange(range: Range, by: -1 | 1, today: string): Range | undefined {
  if ("preset" in range && range.preset === "all") return undefined;
  if ("preset" in range && range.preset === "last_24h") return by === -1 ? { preset: "yesterday" } : undefined;
  const days = daysOf(range, today);
  if (by === 1 && days.last >= today) return undefined;
  const months = monthsOf(range, days, today);
  const moved = months === undefined ? byDays(days, by) : byMonths(days, months * by, months);
  return named(moved, today, months === undefined ? ofDays : ofMonths);
}

/** How many whole months a range has, the running one included; undefined if it is not of whole months. */
function monthsOf(range: Range, { first, last }: Days, today: string): number | undefined {
  const isOfMonths = "from" in range || ["this_month", "last_month", "this_year", "last_12m"].includes(range.preset);
  const endsMonth = addDays(last, 1).endsWith("-01");
  if (!isOfMonths || first !== firstOfMonth(first) || !(endsMonth || (last === today && "preset" in range)))
    return undefined;
  // A year that goes on is a year.
  if ("preset" in range && range.preset === "this_year") return 12;
  const [year = 0, month = 0] = first.split("-").map(Number);
  const [lastYear = 0, lastMonth = 0] = last.split("-").map(Number);
  return (lastYear - year) * 12 + lastMonth - month + 1;
}

function byDays(days: Days, by: -1 | 1): Days {
  const count = countDays(days) * by;
  return { first: addDays(days.first, count), last: addDays(days.last, count) };
}

function byMonths({ first }: Days, by: number, length: number): Days {
  const start = addMonths(first, by);
  return { first: start, last: addDays(addMonths(start, length), -1) };
}

const ofMonths = ["this_month", "last_month", "this_year", "last_12m"] as const satisfies readonly Preset[];
const ofDays = [
  "today",
  "yesterday",
  "last_7d",
  "last_28d",
  "last_30d",
  "last_90d",
] as const satisfies readonly Preset[];

/** A range by its name if it has one, so that it stays up to date. One that would go on after today ends with it. */
function named({ first, last }: Days, today: string, names: readonly Preset[]): Range {
  const end = last > today ? today : last;
  const preset = names.find((name) => {
    const days = daysOf({ preset: name }, today);
    return days.first === first && days.last === end;
  });
  return preset === undefined ? { from: first, to: end } : { preset };
}
