import type { WalState } from "./walStates.ts";

/**
 * For how long committed transactions of a table have been waiting until queries see them, from what is seen each time QuestDB is asked.
 */
export class ApplyLag {
  /** Committed transactions that were not applied when they were first seen, oldest first. */
  #waiting: readonly { readonly committed: number; readonly seenMs: number }[] = [];

  /** Notes a table's state at a time and returns how long its oldest waiting transaction has been known, ms. */
  note({ committed, applied }: Pick<WalState, "committed" | "applied">, nowMs: number): number {
    const waiting = this.#waiting.filter((each) => each.committed > applied);
    const newest = waiting.at(-1)?.committed ?? applied;
    // Only the oldest counts, so a table that applies nothing needs no long list.
    if (committed > newest && waiting.length < maxWaiting) waiting.push({ committed, seenMs: nowMs });
    this.#waiting = waiting;
    return waiting[0] === undefined ? 0 : nowMs - waiting[0].seenMs;
  }
}

const maxWaiting = 1_000;
