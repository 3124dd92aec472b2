import type { KeyedRow } from "../questdb/keyedRow.ts";

/**
 * Work on rows before each attempt to commit them, in the order of the steps. It returns as many rows in the same
 * order, changed or not. A step that rejects makes the attempt fail as if QuestDB were unavailable: the rows wait and the
 * steps run again. So a step must be repeatable for the same rows, also in another process after a crash.
 */
export type CommitStep = <Row extends KeyedRow>(rows: readonly Row[]) => Promise<readonly Row[]>;

/**
 * Called with rows that QuestDB has committed, as the steps returned them, and when the first of their group was received (Unix ms). Not awaited, and lost in a crash between the
 * commit and the call: what must not be lost belongs into a step.
 */
export type AfterCommit = (rows: readonly KeyedRow[], receivedMs: number) => void;
