/** Wrong passwords of one subject in a row, and until when it has to wait. Unix ms. */
type Failures = { readonly count: number; readonly lastMs: number; readonly untilMs: number };

/** How many may be wrong before the waiting begins, and how long it gets. A link's visitors must not be locked out for long by a stranger. */
const limits = {
  ofVisitor: { allowed: 5, mostWaitMs: 900_000 },
  ofLink: { allowed: 50, mostWaitMs: 60_000 },
} as const;

const firstWaitMs = 5_000;

/** After so long without a wrong one all is forgotten. */
const forgottenMs = 900_000;

/** About 2 MB; beyond it the oldest are forgotten. */
const maxSubjects = 10_000;

/**
 * Slows the guessing of passwords. After five wrong ones on a link a visitor waits, each time twice as long up to a quarter of an hour; after
 * fifty, from wherever, everybody who comes to the link waits up to a minute. Counted in this process only, so with N processes there are N
 * times as many guesses: the visitor's address must not leave it.
 */
export class PasswordAttempts {
  readonly #failures = new Map<string, Failures>();

  /** How long to wait before the next attempt, ms; 0 when there may be one now. */
  waitMs(linkId: string, address: string, nowMs: number): number {
    const untilMs = Math.max(...subjectsOf(linkId, address).map(({ key }) => this.#failures.get(key)?.untilMs ?? 0));
    return Math.max(0, untilMs - nowMs);
  }

  failed(linkId: string, address: string, nowMs: number): void {
    for (const { key, allowed, mostWaitMs } of subjectsOf(linkId, address)) {
      const before = this.#failures.get(key);
      const count = before === undefined || before.lastMs + forgottenMs < nowMs ? 1 : before.count + 1;
      const waitMs = count < allowed ? 0 : Math.min(firstWaitMs * 2 ** (count - allowed), mostWaitMs);
      this.#failures.delete(key);
      if (this.#failures.size >= maxSubjects) this.#forgetOldest();
      this.#failures.set(key, { count, lastMs: nowMs, untilMs: nowMs + waitMs });
    }
  }

  /** Takes back an attempt that was counted as failed: its visitor begins anew, guesses of others on the link still count. */
  succeeded(linkId: string, address: string): void {
    this.#failures.delete(visitorKey(linkId, address));
    const ofLink = this.#failures.get(linkId);
    if (ofLink !== undefined) this.#failures.set(linkId, { ...ofLink, count: ofLink.count - 1, untilMs: 0 });
  }

  #forgetOldest(): void {
    const [oldest] = this.#failures.keys();
    if (oldest !== undefined) this.#failures.delete(oldest);
  }
}

function visitorKey(linkId: string, address: string): string {
  return `${linkId} ${address}`;
}

function subjectsOf(linkId: string, address: string) {
  return [
    { key: visitorKey(linkId, address), ...limits.ofVisitor },
    { key: linkId, ...limits.ofLink },
  ];
}
