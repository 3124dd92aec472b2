/** Consecutive wrong passwords of one subject, and until when it has to wait. Unix ms. */
export type Failures = { readonly count: number; readonly lastMs: number; readonly untilMs: number };

/** How many wrong passwords are allowed before waits begin, and how long a wait gets. */
export type GuessLimit = { readonly allowed: number; readonly maxWaitMs: number };

/** One visitor of a link: after five wrong ones each wait is twice as long as the last, up to 15 minutes. */
export const visitorGuessLimit: GuessLimit = { allowed: 5, maxWaitMs: 900_000 };

/** All visitors of a link together: one visitor must not be able to lock the others out for long. */
export const linkGuessLimit: GuessLimit = { allowed: 50, maxWaitMs: 60_000 };

/** Without a wrong password for this long the count starts again. */
export const forgottenMs = 900_000;

const firstWaitMs = 5_000;

/** The failures with one more. */
export function failedAgain({ count, lastMs }: Failures, { allowed, maxWaitMs }: GuessLimit, nowMs: number): Failures {
  const next = lastMs + forgottenMs < nowMs ? 1 : count + 1;
  const waitMs = next < allowed ? 0 : Math.min(firstWaitMs * 2 ** (next - allowed), maxWaitMs);
  return { count: next, lastMs: nowMs, untilMs: nowMs + waitMs };
}
