import type { CallReader } from "../answer/callReader.ts";
import { Bindings } from "../sql/bindings.ts";
import type { FactTable } from "../sql/fields.ts";
import { type RowScope, rowsOf } from "../sql/rowScope.ts";

/** Of how many values a hint knows. */
export const mostValues = 1_000;

/** The values of a column of the rows that meet a condition, the most frequent first; "" for rows without one. */
export async function mostFrequent(
  { table, column, condition }: { readonly table: FactTable; readonly column: string; readonly condition?: string },
  scope: RowScope,
  reader: CallReader,
): Promise<string[]> {
  const bindings = new Bindings();
  const rows = rowsOf(table, scope, bindings) + (condition === undefined ? "" : ` AND ${condition}`);
  const sql =
    `SELECT value FROM (SELECT ${column} AS value, count() AS times FROM ${rows} GROUP BY value) ` +
    `ORDER BY times DESC LIMIT ${mostValues}`;
  return (await reader.read(sql, bindings.values)).map((row) => String(row["value"] ?? ""));
}
