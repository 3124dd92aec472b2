import type { BoundValue, Row } from "../../store/questdb/questdbReader.ts";
import type { TableName } from "../../store/questdb/tables.ts";
import type { TimeRange } from "../../time/dates.ts";
import { Bindings } from "../sql/bindings.ts";
import { rowsOf } from "../sql/rowScope.ts";

export type DayReader = { read(sql: string, values: readonly BoundValue[]): Promise<Row[]> };

/** The UTC days (their starts, Unix ms) of these ranges on which a website has rows in one of the tables, ascending. */
export async function daysWithRows(
  tables: readonly TableName[],
  websiteId: string,
  ranges: readonly TimeRange[],
  reader: DayReader,
): Promise<number[]> {
  if (ranges.length === 0) return [];
  const bindings = new Bindings();
  const parts = tables.flatMap((table) =>
    ranges.map((range) => {
      const rows = rowsOf(table, { websiteIds: [websiteId], range }, bindings);
      return `SELECT DISTINCT timestamp_floor('d', ts)::long / 1000 AS day FROM ${rows}`;
    }),
  );
  const days = (await reader.read(parts.join(" UNION "), bindings.values)).map((row) => Number(row["day"]));
  return days.sort((a, b) => a - b);
}
