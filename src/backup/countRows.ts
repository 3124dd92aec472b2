import type { QuestdbReader } from "../store/questdb/questdbReader.ts";
import { tableNames } from "../store/questdb/tables.ts";
import { utcDayOf } from "../time/utcDay.ts";
import type { RowsByDay } from "./manifest.ts";

/** The rows of every table of QuestDB by UTC day, tombstones included. Tables without rows are listed too. */
export async function countQuestdbRows(
  questdb: Pick<QuestdbReader, "read">,
  signal: AbortSignal,
): Promise<Record<string, RowsByDay>> {
  const counts: Record<string, RowsByDay> = {};
  for (const table of tableNames) {
    const rows = await questdb.read(
      `SELECT timestamp_floor('d', ts) "day", count() "rows" FROM ${table} ORDER BY "day"`,
      [],
      { signal },
    );
    counts[table] = Object.fromEntries(rows.map((row) => [utcDayOf(Number(row["day"])), Number(row["rows"])]));
  }
  return counts;
}

/** One sentence for each table and day with a different number of rows than expected. */
export function countDifferences(
  expected: Readonly<Record<string, RowsByDay>>,
  found: Readonly<Record<string, RowsByDay>>,
): string[] {
  const tables = [...new Set([...Object.keys(expected), ...Object.keys(found)])].sort();
  return tables.flatMap((table) => {
    const [wanted = {}, actual = {}] = [expected[table], found[table]];
    const days = [...new Set([...Object.keys(wanted), ...Object.keys(actual)])].sort();
    return days.flatMap((day) => {
      const [should, is] = [wanted[day] ?? 0, actual[day] ?? 0];
      return should === is ? [] : [`${table} ${day}: ${is} rows instead of ${should}`];
    });
  });
}
