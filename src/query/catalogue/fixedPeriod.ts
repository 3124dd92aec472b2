import type { IANAZone } from "luxon";
import { dayOf, presetRange, startOfDayMs, type TimeRange } from "../../time/dates.ts";
import { minuteMs } from "../../time/utcDay.ts";

/** A fixed range of a query type: it ends now, or with the day or the days before today. `soFar`: today until now. */
export type FixedPeriod =
  | "today"
  | "soFar"
  | { readonly daysBefore: number }
  | { readonly minutes: number }
  | { readonly wholeMinutes: number };

/** Whether a type with this period is about what happened in the last minutes, whenever the visits began. */
export function isNow(period: FixedPeriod | undefined): boolean {
  return typeof period === "object" && !("daysBefore" in period);
}

/** The range of a period, at the time `nowMs`. `wholeMinutes` are buckets of a minute, including the current one. */
export function rangeOfPeriod(period: FixedPeriod, nowMs: number, zone: IANAZone): TimeRange {
  // Includes events of this very millisecond.
  const endMs = nowMs + 1;
  if (period === "today" || period === "soFar") {
    const today = presetRange("today", nowMs, zone);
    if (today === undefined) throw new Error("there is no preset today");
    return period === "today" ? today : { startMs: today.startMs, endMs };
  }
  if ("daysBefore" in period) {
    const today = dayOf(nowMs, zone);
    const first = today.minus({ days: period.daysBefore });
    return { startMs: startOfDayMs(first, zone), endMs: startOfDayMs(today, zone) };
  }
  if ("minutes" in period) return { startMs: nowMs - period.minutes * minuteMs, endMs };
  return { startMs: (Math.floor(nowMs / minuteMs) - period.wholeMinutes + 1) * minuteMs, endMs };
}
