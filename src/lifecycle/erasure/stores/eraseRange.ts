import { setTimeout as pause } from "node:timers/promises";
import { dayCondition, findPartition, type Partition } from "../../../store/questdb/partition.ts";
import type { QuestdbReader, ReadOptions } from "../../../store/questdb/questdbReader.ts";
import type { TableName } from "../../../store/questdb/tables.ts";
import { rollColumn, tombstoneWebsiteId } from "../../../store/questdb/tombstone.ts";
import { whenApplied } from "../../../store/questdb/whenApplied.ts";

/** Pause before a statement, so that two statements in a row do not delay the same queries. */
const restMs = 250;

/** Rows of one table on one UTC day (YYYY-MM-DD) that meet a condition, whose values are bound as $1, $2 and so on. */
export type DayRows = {
  readonly table: TableName;
  readonly day: string;
  readonly sql: string;
  readonly values: readonly (string | number)[];
};

/**
 * Erases the matching rows of the partition that holds a day, and resolves when no query sees them; false when the day
 * has none. If the partition is a week, matching rows of its other days are erased too, since the partition is
 * rewritten as a whole. Erased rows stay as tombstones with nothing but their time, since QuestDB cannot delete rows:
 * each column of the partition is rewritten, and the old files are deleted once no query reads them.
 *
 * It takes about a second per partition of 340,000 rows, however many rows are erased, and new rows of the table wait
 * meanwhile. So one statement erases many websites of one day, but never many days. Safe to repeat. Rows in flight must
 * be blocked before (see blockRanges.ts). Rejects when the table is suspended.
 */
export async function eraseRange(questdb: QuestdbReader, rows: DayRows, signal: AbortSignal): Promise<boolean> {
  const { table, day, sql, values } = rows;
  await whenApplied(questdb, [table], signal);
  const hasRows = async (options: ReadOptions) => {
    const one = `SELECT ts FROM ${table} WHERE ${dayCondition(day)} AND (${sql}) LIMIT 1`;
    return (await questdb.read(one, values, { ...options, signal })).length > 0;
  };
  // What one read lacks would never be erased.
  if (!(await hasRows({})) && !(await hasRows({ isCheck: true }))) return false;
  await pause(restMs, undefined, { signal });
  const partition = await findPartition(questdb, table, day, signal);
  if (partition === undefined) return false;
  // An UPDATE of a Parquet partition would suspend the table.
  if (partition.isParquet) await convert(questdb, table, partition, "NATIVE", signal);
  await questdb.change(
    `UPDATE ${table} SET ${await tombstoneSql(questdb, table)} WHERE ${partition.condition} AND (${sql})`,
    values,
  );
  await whenApplied(questdb, [table], signal);
  if (partition.isParquet) await convert(questdb, table, partition, "PARQUET", signal);
  return true;
}

/**
 * The SET part of an UPDATE that turns a row into a tombstone: it clears all columns but the time, including columns
 * that other versions have added.
 */
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
  await whenApplied(questdb, [table], signal);
}
