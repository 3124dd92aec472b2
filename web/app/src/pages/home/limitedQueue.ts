type Waiting = { readonly key: string; readonly run: () => Promise<void> };

/** Runs calls, at most some at a time. Those that are wanted now come before those that can wait. */
export class LimitedQueue {
  readonly #most: number;
  readonly #now: Waiting[] = [];
  readonly #later: Waiting[] = [];
  #running = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Adds a call, which must not reject. A call that waits under the same key moves forward if it is wanted now. */
  add(key: string, run: () => Promise<void>, isUrgent: boolean): void {
    const waitsAt = this.#later.findIndex((waiting) => waiting.key === key);
    if (waitsAt >= 0) {
      if (!isUrgent) return;
      this.#later.splice(waitsAt, 1);
    } else if (this.#now.some((waiting) => waiting.key === key)) return;
    (isUrgent ? this.#now : this.#later).push({ key, run });
    this.#next();
  }

  /** Forgets all calls that wait. */
  clear(): void {
    this.#now.length = 0;
    this.#later.length = 0;
  }

  #next(): void {
    while (this.#running < this.#most) {
      const next = this.#now.shift() ?? this.#later.shift();
      if (next === undefined) return;
      this.#running++;
      void next.run().finally(() => {
        this.#running--;
        this.#next();
      });
    }
  }
}
