import { setTimeout as pause } from "node:timers/promises";
import { dayCondition, findPartition, type Partition } from "../../../store/questdb/partition.ts";
import type { QuestdbReader } from "../../../store/questdb/questdbReader.ts";
import type { TableName } from "../../../store/questdb/tables.ts";
import { whenApplied } from "../../../store/questdb/whenApplied.ts";
import { rollColumn, tombstoneWebsiteId } from "./tombstone.ts";

/** Rest before a statement: what comes between two of them would else meet the same few queries of others as the statement does. */
const restMs = 250;

/** Rows of one table around one UTC day (YYYY-MM-DD): those that meet a condition whose values are bound as $1, $2 and so on. */
export type DayRows = {
  readonly table: TableName;
  readonly day: string;
  readonly sql: string;
  readonly values: readonly (string | number)[];
};

/**
 * Erases the rows of the partition that holds a day and resolves when no query sees them any more; false when the day has none. Where that is a week,
 * the rows of its other days go as well: the partition is written anew as a whole. The rows stay as tombstones with
 * nothing but their time, since QuestDB cannot delete: each column of the day is written anew, the old files go once nobody reads them.
 *
 * It costs about a second a partition of 340,000 rows, whatever the number of erased rows, and in that time new rows of the table
 * wait; so one statement takes many websites of a day, and never many days. Doing it again is safe. What could still be on its way
 * into the table must be kept out before (see blockRanges.ts). Rejects when the table is suspended.
 */
export async function eraseDay(questdb: QuestdbReader, rows: DayRows, signal: AbortSignal): Promise<boolean> {
  const { table, day, sql, values } = rows;
  await whenApplied(questdb, table, signal);
  const found = await questdb.read(`SELECT ts FROM ${table} WHERE ${dayCondition(day)} AND (${sql}) LIMIT 1`, values, {
    signal,
  });
  if (found.length === 0) return false;
  await pause(restMs, undefined, { signal });
  const partition = await findPartition(questdb, table, day, signal);
  if (partition === undefined) return false;
  // An UPDATE that meets Parquet suspends the table.
  if (partition.isParquet) await convert(questdb, table, partition, "NATIVE", signal);
  await questdb.change(
    `UPDATE ${table} SET ${await tombstoneSql(questdb, table)} WHERE ${partition.condition} AND (${sql})`,
    values,
  );
  await whenApplied(questdb, table, signal);
  if (partition.isParquet) await convert(questdb, table, partition, "PARQUET", signal);
  return true;
}

/** The assignments that leave nothing of a row, whatever columns this or another version has made. */
export async function tombstoneSql(questdb: QuestdbReader, table: TableName): Promise<string> {
  const columns = await questdb.read(
    `SELECT "column" name FROM table_columns('${table}') WHERE not designated AND "column" <> '${rollColumn}'`,
    [],
  );
  return columns
    .map(({ name }) => (name === "website_id" ? `website_id = '${tombstoneWebsiteId}'` : `"${name}" = null`))
    .join(", ");
}

async function convert(
  questdb: QuestdbReader,
  table: TableName,
  { name }: Partition,
  to: "NATIVE" | "PARQUET",
  signal: AbortSignal,
): Promise<void> {
  await questdb.change(`ALTER TABLE ${table} CONVERT PARTITION TO ${to} LIST '${name}'`);
  await whenApplied(questdb, table, signal);
}
