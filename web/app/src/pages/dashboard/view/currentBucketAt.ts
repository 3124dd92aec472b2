import type { LocalTime } from "../../../figures/days.ts";

/** The place of the bucket that is not over: the last one if it has begun and the range reaches until now. -1 if all are over. */
export function currentBucketAt(buckets: readonly string[], { day, time }: LocalTime, isRunning: boolean): number {
  const now = `${day}T${time.slice(0, 2)}`;
  const exact = buckets.findIndex((bucket) => bucket === day || bucket.slice(0, 13) === now);
  if (exact !== -1 || !isRunning) return exact;
  // Weeks and months begin on an earlier day.
  return buckets.findLastIndex((bucket) => bucket <= day);
}
