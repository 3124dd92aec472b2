/** Rows are deleted a segment at a time. A new segment begins this long after the first row of the previous one. */
export const segmentMs = 600_000;

/** How long a broker keeps the files of a segment that it has deleted. */
export const fileDeleteDelayMs = 60_000;

/** How often brokers look for segments to delete (log.retention.check.interval.ms, which is not a setting of a topic). */
const checkEveryMs = 300_000;

/** Until when the brokers may have bytes of rows appended at `appendedMs` or before. Both are Unix ms. */
export function logExpiresMs(appendedMs: number, { retentionMs }: { readonly retentionMs: number }): number {
  return appendedMs + retentionMs + Math.min(segmentMs, retentionMs) + checkEveryMs + fileDeleteDelayMs;
}
