import { DateTime, type IANAZone } from "luxon";
import { dayOf, startOfDayMs, type TimeRange } from "./dates.ts";

/**
 * The same weekday some weeks before the day of a range in a zone, from its start until the same time of day as the end of the range.
 * The range must begin with its day and end within it.
 */
export function weeksBefore({ startMs, endMs }: TimeRange, weeks: number, zone: IANAZone): TimeRange {
  const beganMs = startOfDayMs(dayOf(startMs, zone).minus({ weeks }), zone);
  const untilMs = DateTime.fromMillis(endMs, { zone }).minus({ weeks }).toMillis();
  return { startMs: beganMs, endMs: Math.max(untilMs, beganMs + 1) };
}
