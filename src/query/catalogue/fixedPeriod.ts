import type { IANAZone } from "luxon";
import { presetRange, type TimeRange } from "../../time/dates.ts";
import { minuteMs } from "../../time/utcDay.ts";

/** A fixed range of a query type that ends now. */
export type FixedPeriod = "today" | { readonly minutes: number } | { readonly wholeMinutes: number };

/** Whether a type with this period is about what happened in the last minutes, whenever the visits began. */
export function isNow(period: FixedPeriod | undefined): boolean {
  return period !== undefined && period !== "today";
}

/** The range of a period, at the time `nowMs`. `wholeMinutes` are buckets of a minute, including the current one. */
export function rangeOfPeriod(period: FixedPeriod, nowMs: number, zone: IANAZone): TimeRange {
  if (period === "today") {
    const today = presetRange("today", nowMs, zone);
    if (today === undefined) throw new Error("there is no preset today");
    return today;
  }
  // Includes events of this very millisecond.
  const endMs = nowMs + 1;
  if ("minutes" in period) return { startMs: nowMs - period.minutes * minuteMs, endMs };
  return { startMs: (Math.floor(nowMs / minuteMs) - period.wholeMinutes + 1) * minuteMs, endMs };
}
