import type { QuestdbReader, ReadOptions } from "../../../store/questdb/questdbReader.ts";
import type { Target } from "./deletionScope.ts";

/** The number of rows of a target. Rejects with the driver's error, also when the read times out. */
export async function countRows(
  questdb: Pick<QuestdbReader, "read">,
  target: Target,
  options: ReadOptions = {},
): Promise<number> {
  const { table, sql, values, liveSql, fromMs, untilMs } = target;
  const [row] = await questdb.read(`SELECT count() "rows" FROM ${table} WHERE ${sql}${liveSql}`, values, {
    ...options,
    range: { startMs: fromMs, endMs: untilMs },
  });
  return Number(row?.["rows"]);
}
