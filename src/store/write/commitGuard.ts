import type { KeyedRow } from "./keyedRow.ts";

/**
 * Stands between the steps and QuestDB: it is asked before each attempt to commit, with the time at which each row was received (Unix ms),
 * and told when the attempt is over. Rejecting makes the attempt fail as if QuestDB were away.
 */
export type CommitGuard = {
  enter(rows: readonly KeyedRow[], receivedMs: readonly number[]): Promise<CommitPass>;
};

/** Positions of the rows that must not be stored, and what to call when the attempt has ended, however it ended. */
export type CommitPass = { readonly refused: ReadonlySet<number>; leave(): Promise<void> };
