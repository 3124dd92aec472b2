/** The last transaction of a table that was applied, and the last that was committed. */
export type TableProgress = { readonly applied: number; readonly committed: number; readonly isSuspended: boolean };

/** After a longer time in which QuestDB was not asked, or did not answer, nothing is known of what it did meanwhile. */
const maxGapMs = 30_000;

/** For how long QuestDB has applied nothing to a table though transactions wait, from what is seen each time it is asked. */
export class Standstill {
  #applied = -1;
  #sinceMs = 0;
  #seenMs = Number.NEGATIVE_INFINITY;

  /** Notes the table's state at a time and returns that duration, ms. 0 for a suspended table, which is a state of its own. */
  note({ applied, committed, isSuspended }: TableProgress, nowMs: number): number {
    const isSame = applied === this.#applied && nowMs - this.#seenMs <= maxGapMs;
    if (!isSame || applied >= committed || isSuspended) this.#sinceMs = nowMs;
    this.#applied = applied;
    this.#seenMs = nowMs;
    return nowMs - this.#sinceMs;
  }
}
