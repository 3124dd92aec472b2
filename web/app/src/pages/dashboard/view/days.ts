import type { Comparison, Preset, Range } from "./view.ts";

/** The first and the last day of a range, YYYY-MM-DD. */
export type Days = { readonly first: string; readonly last: string };

/** A range of a query: two days, or a day and an instant in the query's time zone, which is not included. */
export type Bounds = { readonly startDate: string; readonly endDate: string };

/** What the clock of a time zone shows. */
export type LocalTime = { readonly day: string; readonly time: string };

/** What the clock shows there now. */
export function localTime(zone: string, nowMs: number): LocalTime {
  const parts = new Intl.DateTimeFormat("en-CA", {
    timeZone: zone,
    dateStyle: "short",
    timeStyle: "medium",
    hourCycle: "h23",
  }).format(nowMs);
  const [day = "", time = ""] = parts.split(", ");
  return { day, time };
}

/** The days of a range. The service computes those of a preset in the same way (docs/user/queries.md). */
export function daysOf(range: Range, today: string): Days {
  if ("from" in range) return { first: range.from, last: range.to };
  return presetDays[range.preset](today);
}

const presetDays: Readonly<Record<Preset, (today: string) => Days>> = {
  today: (today) => ({ first: today, last: today }),
  yesterday: (today) => ({ first: addDays(today, -1), last: addDays(today, -1) }),
  last_7d: (today) => ({ first: addDays(today, -6), last: today }),
  last_30d: (today) => ({ first: addDays(today, -29), last: today }),
  last_90d: (today) => ({ first: addDays(today, -89), last: today }),
  this_month: (today) => ({ first: firstOfMonth(today), last: today }),
  last_month: (today) => {
    const last = addDays(firstOfMonth(today), -1);
    return { first: firstOfMonth(last), last };
  },
  this_year: (today) => ({ first: `${today.slice(0, 4)}-01-01`, last: today }),
};

/**
 * The days that a range is compared with: the same number of days before it, or for months and years the month or year
 * before. Undefined without a comparison.
 */
export function comparedDays(range: Range, compare: Comparison, today: string): Days | undefined {
  if (compare === "none") return undefined;
  const days = daysOf(range, today);
  if (compare === "year") return moved(days, (day) => addMonths(day, -12));
  if ("preset" in range) {
    if (range.preset === "this_month") return moved(days, (day) => addMonths(day, -1));
    if (range.preset === "this_year") return moved(days, (day) => addMonths(day, -12));
    if (range.preset === "last_month") {
      const last = addDays(days.first, -1);
      return { first: firstOfMonth(last), last };
    }
  }
  const count = countDays(days);
  return moved(days, (day) => addDays(day, -count));
}

/**
 * The bounds of the days that a range is compared with. A range that today belongs to is compared with days that are as
 * incomplete: they end at the time that it is now.
 */
export function comparedBounds(range: Range, compare: Comparison, now: LocalTime): Bounds | undefined {
  const days = comparedDays(range, compare, now.day);
  if (days === undefined) return undefined;
  const isComplete = daysOf(range, now.day).last !== now.day;
  return { startDate: days.first, endDate: isComplete ? days.last : `${days.last}T${now.time}` };
}

export function countDays({ first, last }: Days): number {
  return Math.round((Date.parse(last) - Date.parse(first)) / 86_400_000) + 1;
}

function moved({ first, last }: Days, move: (day: string) => string): Days {
  return { first: move(first), last: move(last) };
}

/** Days are counted in UTC, where each has 24 hours. */
export function addDays(day: string, count: number): string {
  return new Date(Date.parse(day) + count * 86_400_000).toISOString().slice(0, 10);
}

/** The same day of another month, or its last day. */
function addMonths(day: string, count: number): string {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  const lastDate = new Date(Date.UTC(year, month + count, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + count, Math.min(date, lastDate))).toISOString().slice(0, 10);
}

function firstOfMonth(day: string): string {
  return `${day.slice(0, 8)}01`;
}
