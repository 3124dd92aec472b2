import type { QuestdbReader } from "../../../store/questdb/questdbReader.ts";
import { utcDayOf } from "../../../time/utcDay.ts";
import type { Target } from "./deletionScope.ts";

/**
 * UTC days (YYYY-MM-DD) on which a target has rows, in no particular order: those of two reads, since what one lacks would never be erased.
 * Rejects with the driver's error.
 */
export async function daysOf(
  { questdb }: { readonly questdb: Pick<QuestdbReader, "read"> },
  { table, sql, values }: Pick<Target, "table" | "sql" | "values">,
  signal: AbortSignal,
): Promise<string[]> {
  const days = new Set<string>();
  for (const isCheck of [false, true]) {
    const statement = `SELECT DISTINCT timestamp_floor('d', ts) "day" FROM ${table} WHERE ${sql}`;
    for (const { day } of await questdb.read(statement, values, { signal, isCheck })) days.add(utcDayOf(Number(day)));
  }
  return [...days];
}
