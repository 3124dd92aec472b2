import type { IANAZone } from "luxon";
import { presetRange, type TimeRange } from "../request/dates.ts";

/** A time up to now that a query type always tells of. */
export type FixedPeriod = "today" | { readonly minutes: number } | { readonly wholeMinutes: number };

const minuteMs = 60_000;

/** The range of a period, at the time `nowMs`. Whole minutes are that many buckets of a minute, the last one still running. */
export function rangeOfPeriod(period: FixedPeriod, nowMs: number, zone: IANAZone): TimeRange {
  if (period === "today") {
    const today = presetRange("today", nowMs, zone);
    if (today === undefined) throw new Error("there is no preset today");
    return today;
  }
  // What happens in this very millisecond belongs to it.
  const endMs = nowMs + 1;
  if ("minutes" in period) return { startMs: nowMs - period.minutes * minuteMs, endMs };
  return { startMs: (Math.floor(nowMs / minuteMs) - period.wholeMinutes + 1) * minuteMs, endMs };
}
