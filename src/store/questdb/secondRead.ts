import type { BoundValue, QuestdbReader, Row } from "./questdbReader.ts";

/** What reads rows of QuestDB. */
export type RowSource = {
  read(sql: string, values: readonly BoundValue[]): Promise<Row[]>;
};

/**
 * Reads each time on a new connection. What would take rows away for good must be found by two reads: a single one may lack rows because of
 * a fault of QuestDB (docs/develop/questdb.md).
 */
export function secondRead(questdb: QuestdbReader): RowSource {
  return { read: (sql, values) => questdb.read(sql, values, { isCheck: true }) };
}

/** Two reads of the same rows found something else: one of them lacked rows, or rows were stored meanwhile. */
export class DisagreeingReadsError extends Error {
  override readonly name = "DisagreeingReadsError";
}
