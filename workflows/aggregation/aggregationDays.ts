import { dayMs, startOfUtcDay, utcDayOf } from "../../src/time/utcDay.ts";

/** The input of a daily aggregation run: one day, a range of days, or nothing. Days are UTC, YYYY-MM-DD. */
export type RequestedDays = { readonly day?: string; readonly from?: string; readonly to?: string };

/** Days from `from` to `to`, both included. */
export type DayRange = { readonly from: string; readonly to: string };

/** Days of a run without input: yesterday, and the day before once more for late events. */
const defaultDays = 2;

/**
 * The days of a run that was due at `dueMs` (Unix ms), or what is wrong with the request. Days must have ended by then.
 */
export function resolveDays(requested: RequestedDays, dueMs: number): DayRange | { readonly problem: string } {
  const yesterday = utcDayOf(dueMs - dayMs);
  if (requested.day !== undefined && (requested.from !== undefined || requested.to !== undefined))
    return { problem: 'Give either "day" or "from" and "to", not both.' };
  if ((requested.from === undefined) !== (requested.to === undefined))
    return { problem: '"from" and "to" go together: give both, or "day" for one day.' };
  const from = requested.day ?? requested.from ?? utcDayOf(dueMs - defaultDays * dayMs);
  const to = requested.day ?? requested.to ?? yesterday;
  for (const day of [from, to])
    if (!isDay(day)) return { problem: `"${day}" is not a day. Write it as YYYY-MM-DD, for example ${yesterday}.` };
  if (from > to) return { problem: `"from" (${from}) is after "to" (${to}). Swap them.` };
  if (to > yesterday)
    return { problem: `${to} has not ended yet. The last day that can be aggregated is ${yesterday}.` };
  return { from, to };
}

/** The next day. */
export function nextDay(day: string): string {
  return utcDayOf(startOfUtcDay(day) + dayMs);
}

function isDay(text: string): boolean {
  const timeMs = /^\d{4}-\d{2}-\d{2}$/.test(text) ? startOfUtcDay(text) : Number.NaN;
  // Some engines parse 2026-02-30 as 2 March.
  return Number.isFinite(timeMs) && utcDayOf(timeMs) === text;
}
