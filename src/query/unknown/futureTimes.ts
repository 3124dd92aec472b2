import type { TimeRange } from "../../time/dates.ts";
import { merged, without } from "../../time/timeRanges.ts";
import { minuteMs } from "../../time/utcDay.ts";
import type { UnknownTime } from "./unknownTimes.ts";

/** The clocks of callers may be ahead, so a range that ends a moment later ends now. */
const leastMs = minuteMs;

/** Unknown times of a range, and the part of it that has not happened yet, as far as no other reason applies to that. `nowMs` is Unix ms. */
export function withFuture(times: readonly UnknownTime[], range: TimeRange, nowMs: number): UnknownTime[] {
  const startMs = Math.max(range.startMs, nowMs);
  if (range.endMs - startMs < leastMs) return [...times];
  const future = without([{ startMs, endMs: range.endMs }], merged(times));
  return [...times, ...future.map((time) => ({ ...time, reason: "future" as const }))];
}

/** What to know about an answer whose range has not begun. `field` is where the request says it. */
export function futureHints(range: TimeRange | undefined, nowMs: number, field: string) {
  if (range === undefined || range.startMs < nowMs + leastMs) return [];
  return [{ field, message: "is in the future, so nothing is known of this range yet" }];
}
