import type { KeyedRow } from "./keyedRow.ts";
import type { TableName } from "./tables.ts";

/** The column with a row's time. If it is not `ts`, that is a time on the same UTC day. */
export function timeColumnOf(table: TableName): "started" | "ts" {
  return table === "sessions" ? "started" : "ts";
}

/** The time of a row, in microseconds since 1970. */
export function timeUsOf(row: KeyedRow): number {
  return row.table === "sessions" ? (row.values.started ?? row.tsUs) : row.tsUs;
}
