/**
 * Limits of running and waiting work. An owner is a website or an organization; work is scheduled fairly between
 * owners.
 */
export type FairQueueLimits = {
  readonly atOnce: number;
  readonly atOncePerOwner: number;
  readonly maxWaiting: number;
  readonly maxWaitingPerOwner: number;
  /** How long work may wait. */
  readonly maxWaitMs: number;
};

/** Why work was not run. */
export type Refusal = "owner_full" | "full" | "waited_too_long" | "aborted";

/** Work that was not started. */
export class RefusedWorkError extends Error {
  override name = "RefusedWorkError";
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(`The work was not begun: ${refusal}`);
    this.refusal = refusal;
  }
}

type Waiter = { readonly start: () => void };

/**
 * Runs a limited amount of work at a time, scheduled round-robin between owners: an owner with a hundred pieces of work
 * delays another's first piece by at most one piece, and never fills all slots. The work of one owner runs in the order
 * it was added.
 */
export class FairQueue {
  readonly #limits: FairQueueLimits;
  /** The next owner comes first. */
  readonly #waiting = new Map<string, Set<Waiter>>();
  readonly #running = new Map<string, number>();
  #waitingCount = 0;
  #runningCount = 0;

  constructor(limits: FairQueueLimits) {
    this.#limits = limits;
  }

  /** The amount of waiting work. */
  get waiting(): number {
    return this.#waitingCount;
  }

  /**
   * Runs the work when a slot is free; it waits no longer than `waitMs`. Rejects with RefusedWorkError when it was not
   * started, and with what the work rejects with.
   */
  async run<T>(
    owner: string,
    signal: AbortSignal | undefined,
    work: () => Promise<T>,
    waitMs = Number.POSITIVE_INFINITY,
  ): Promise<T> {
    if (signal?.aborted) throw new RefusedWorkError("aborted");
    if (this.#hasPlace(owner)) this.#take(owner);
    else await this.#wait(owner, signal, Math.min(this.#limits.maxWaitMs, waitMs));
    try {
      return await work();
    } finally {
      this.#leave(owner);
      this.#startNext();
    }
  }

  #hasPlace(owner: string): boolean {
    const { atOnce, atOncePerOwner } = this.#limits;
    return this.#runningCount < atOnce && (this.#running.get(owner) ?? 0) < atOncePerOwner;
  }

  #take(owner: string): void {
    this.#runningCount += 1;
    this.#running.set(owner, (this.#running.get(owner) ?? 0) + 1);
  }

  #leave(owner: string): void {
    this.#runningCount -= 1;
    const left = (this.#running.get(owner) ?? 0) - 1;
    if (left > 0) this.#running.set(owner, left);
    else this.#running.delete(owner);
  }

  #wait(owner: string, signal: AbortSignal | undefined, waitMs: number): Promise<void> {
    const own = this.#waiting.get(owner) ?? new Set();
    if (own.size >= this.#limits.maxWaitingPerOwner) throw new RefusedWorkError("owner_full");
    if (this.#waitingCount >= this.#limits.maxWaiting) throw new RefusedWorkError("full");
    return new Promise((resolve, reject) => {
      const forget = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", giveUp);
        own.delete(waiter);
        if (own.size === 0) this.#waiting.delete(owner);
        this.#waitingCount -= 1;
      };
      const refuse = (refusal: Refusal): void => {
        forget();
        reject(new RefusedWorkError(refusal));
      };
      const giveUp = (): void => refuse("aborted");
      const waiter: Waiter = {
        start: () => {
          forget();
          resolve();
        },
      };
      const timer = setTimeout(() => refuse("waited_too_long"), waitMs);
      signal?.addEventListener("abort", giveUp, { once: true });
      own.add(waiter);
      this.#waiting.set(owner, own);
      this.#waitingCount += 1;
    });
  }

  #startNext(): void {
    for (const [owner, own] of this.#waiting) {
      if (!this.#hasPlace(owner)) continue;
      const [next] = own;
      if (next === undefined) continue;
      // The owner goes to the end: all other owners come first.
      this.#waiting.delete(owner);
      this.#waiting.set(owner, own);
      this.#take(owner);
      next.start();
      return;
    }
  }
}
