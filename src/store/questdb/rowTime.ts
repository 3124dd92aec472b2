import type { KeyedRow } from "../write/keyedRow.ts";
import type { TableName } from "./tables.ts";

/** The column that tells when a row was. Where it is not `ts`, that is a time of the same UTC day. */
export function timeColumnOf(table: TableName): "started" | "ts" {
  return table === "sessions" ? "started" : "ts";
}

/** When a row was, in microseconds since 1970. */
export function timeUsOf(row: KeyedRow): number {
  return row.table === "sessions" ? (row.values.started ?? row.tsUs) : row.tsUs;
}
