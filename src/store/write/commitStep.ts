import type { KeyedRow } from "./keyedRow.ts";

/**
 * Work on rows before each attempt to commit them, in the order of the steps. It gives back as many rows in the same order, changed or
 * not. A step that rejects makes the attempt fail as if QuestDB were away: the rows wait and the steps run again, so a step must
 * stand being repeated for the same rows, also in another process after a crash.
 */
export type CommitStep = <Row extends KeyedRow>(rows: readonly Row[]) => Promise<readonly Row[]>;

/**
 * Told of rows that QuestDB has committed, as the steps left them. Nobody waits for it, and a crash between the commit and the call
 * loses the call; what must not be lost belongs into a step.
 */
export type AfterCommit = (rows: readonly KeyedRow[]) => void;
