/** Wrong passwords of one subject in a row, and until when it has to wait. Unix ms. */
export type Failures = { readonly count: number; readonly lastMs: number; readonly untilMs: number };

/** How many may be wrong before the waiting begins, and how long it gets. */
export type Patience = { readonly allowed: number; readonly mostWaitMs: number };

/** One visitor of a link: after five wrong ones each wait is twice as long as the one before, up to a quarter of an hour. */
export const visitorPatience: Patience = { allowed: 5, mostWaitMs: 900_000 };

/** All of a link's visitors together, who must not be locked out for long by a stranger. */
export const linkPatience: Patience = { allowed: 50, mostWaitMs: 60_000 };

/** After so long without a wrong one all is forgotten. */
export const forgottenMs = 900_000;

const firstWaitMs = 5_000;

/** The failures with one more. */
export function failedAgain({ count, lastMs }: Failures, { allowed, mostWaitMs }: Patience, nowMs: number): Failures {
  const next = lastMs + forgottenMs < nowMs ? 1 : count + 1;
  const waitMs = next < allowed ? 0 : Math.min(firstWaitMs * 2 ** (next - allowed), mostWaitMs);
  return { count: next, lastMs: nowMs, untilMs: nowMs + waitMs };
}
