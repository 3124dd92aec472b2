import type { TimeRange } from "../../time/dates.ts";
import { clipped } from "../../time/timeRanges.ts";
import type { Buckets } from "./buckets.ts";

/** When a bucket is, within a range: a part for each segment that it reaches into. */
function timesOfBucket({ unitMs, segments }: Buckets, index: number, range: TimeRange): TimeRange[] {
  return segments.flatMap(({ untilMs, shiftMs }, segment) => {
    const fromMs = segments[segment - 1]?.untilMs ?? range.startMs;
    const bucket = { startMs: index * unitMs - shiftMs, endMs: (index + 1) * unitMs - shiftMs };
    return clipped([bucket], { startMs: fromMs, endMs: untilMs });
  });
}

/** Whether a bucket lies within these ranges, which must be sorted and disjoint. */
export function isBucketWithin(
  buckets: Buckets,
  index: number,
  range: TimeRange,
  ranges: readonly TimeRange[],
): boolean {
  if (ranges.length === 0) return false;
  return timesOfBucket(buckets, index, range).every(({ startMs, endMs }) =>
    ranges.some((outer) => outer.startMs <= startMs && endMs <= outer.endMs),
  );
}
