const dayMs = 86_400_000;

/**
 * The midnight (UTC, Unix ms) before which data is past a retention of `days` days (specification part 8). Data expires by whole UTC days
 * in the daily run at 00:00 UTC, so what is younger than `days` days is always kept.
 */
export function oldestKeptMs(nowMs: number, days: number): number {
  return (Math.floor(nowMs / dayMs) - days) * dayMs;
}
