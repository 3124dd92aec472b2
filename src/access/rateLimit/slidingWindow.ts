/**
 * A sliding window counter: of the window before, as much still counts as overlaps with the last `windowMs`. It takes two numbers a subject
 * whatever the limit, and assumes that the calls of the window before were spread evenly.
 */
export type WindowCounts = { readonly window: number; readonly current: number; readonly previous: number };

/** What a limit says to a call. Times are ms from now. */
export type LimitState = {
  readonly isAllowed: boolean;
  readonly limit: number;
  /** Calls that would be let in now, this one already counted. */
  readonly remaining: number;
  /** Until a call is let in again; 0 while calls remain. */
  readonly waitMs: number;
  /** Until nothing counts any more, if nobody calls. */
  readonly resetMs: number;
};

/** The number of the window that a time lies in. */
export function windowAt(nowMs: number, windowMs: number): number {
  return Math.floor(nowMs / windowMs);
}

/** The counts as they are in a later window. */
export function rolled(counts: WindowCounts, window: number): WindowCounts {
  if (window <= counts.window) return counts;
  return { window, current: 0, previous: window === counts.window + 1 ? counts.current : 0 };
}

/** Judges one call more. `counts` are those of the window that `nowMs` lies in, without the call; a refused call does not count. */
export function applyLimit(counts: WindowCounts, limit: number, nowMs: number, windowMs: number): LimitState {
  const { current, previous } = counts;
  const passed = (nowMs % windowMs) / windowMs;
  const used = current + previous * (1 - passed);
  const isAllowed = used + 1 <= limit;
  const usedAfter = used + (isAllowed ? 1 : 0);
  const remaining = Math.max(0, Math.floor(limit - usedAfter));
  const after = isAllowed ? current + 1 : current;
  const waitMs = remaining > 0 ? 0 : waitForOne(after, previous, limit, passed) * windowMs;
  // What was counted in this window is gone at the end of the next one.
  const resetMs = (after > 0 ? 2 - passed : 1 - passed) * windowMs;
  return { isAllowed, limit, remaining, waitMs, resetMs };
}

/** Windows until one call fits in. */
function waitForOne(current: number, previous: number, limit: number, passed: number): number {
  // In this window, while `previous` fades.
  if (current + 1 <= limit) return Math.max(0, 1 - (limit - current - 1) / previous - passed);
  // In the next one, while `current` fades there.
  return 1 - passed + Math.max(0, 1 - (limit - 1) / current);
}
