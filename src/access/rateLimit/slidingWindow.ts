/**
 * A sliding window counter: the previous window counts in proportion to its overlap with the last `windowMs`. It needs
 * two numbers per subject whatever the limit, and assumes that the calls of the previous window were spread evenly.
 */
export type WindowCounts = { readonly window: number; readonly current: number; readonly previous: number };

/** The state of a limit after a call. Times are ms from now. */
export type LimitState = {
  readonly isAllowed: boolean;
  readonly limit: number;
  /** Calls that would be allowed now, after this one. */
  readonly remaining: number;
  /** Until a call is allowed again; 0 while calls remain. */
  readonly waitMs: number;
  /** Until all counts are zero, without further calls. */
  readonly resetMs: number;
};

/** The number of a time's window. */
export function windowAt(nowMs: number, windowMs: number): number {
  return Math.floor(nowMs / windowMs);
}

/** The counts moved on to a later window. */
export function rolled(counts: WindowCounts, window: number): WindowCounts {
  if (window <= counts.window) return counts;
  return { window, current: 0, previous: window === counts.window + 1 ? counts.current : 0 };
}

/**
 * Applies a limit to one more call. `counts` are those of the window of `nowMs`, without the call; a refused call does
 * not count.
 */
export function applyLimit(counts: WindowCounts, limit: number, nowMs: number, windowMs: number): LimitState {
  const { current, previous } = counts;
  const passed = (nowMs % windowMs) / windowMs;
  const used = current + previous * (1 - passed);
  const isAllowed = used + 1 <= limit;
  const usedAfter = used + (isAllowed ? 1 : 0);
  const remaining = Math.max(0, Math.floor(limit - usedAfter));
  const after = isAllowed ? current + 1 : current;
  const waitMs = remaining > 0 ? 0 : waitForOne(after, previous, limit, passed) * windowMs;
  // What was counted in this window expires at the end of the next one.
  const resetMs = (after > 0 ? 2 - passed : 1 - passed) * windowMs;
  return { isAllowed, limit, remaining, waitMs, resetMs };
}

/** Windows until one call is allowed. */
function waitForOne(current: number, previous: number, limit: number, passed: number): number {
  // In this window, while `previous` fades.
  if (current + 1 <= limit) return Math.max(0, 1 - (limit - current - 1) / previous - passed);
  // In the next one, while `current` fades there.
  return 1 - passed + Math.max(0, 1 - (limit - 1) / current);
}
