import type { KeyedRow } from "../questdb/keyedRow.ts";

/**
 * Called before each attempt to commit, after the steps, with the time at which each row was received (Unix ms), and
 * notified when the attempt is over. Rejecting makes the attempt fail as if QuestDB were unavailable.
 */
export type CommitGuard = {
  enter(rows: readonly KeyedRow[], receivedMs: readonly number[]): Promise<CommitPass>;
};

/** Indexes of the rows that must not be stored, and what to call when the attempt has ended, successful or not. */
export type CommitPass = { readonly refused: ReadonlySet<number>; leave(): Promise<void> };
