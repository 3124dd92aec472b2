import type { TimeRange } from "../../time/dates.ts";
import { columnsOfTable, indexedColumns, partitionDays, type TableName, tableNames } from "./tables.ts";

const dayMs = 86_400_000;

/** The tables that a statement reads. */
export function tablesRead(sql: string): readonly TableName[] {
  const names = new Set([...sql.matchAll(/\b(?:FROM|JOIN)\s+\(?(\w+)/gi)].map(([, name]) => name));
  return tableNames.filter((table) => names.has(table));
}

/**
 * How many files QuestDB maps for a statement over a range, about: it maps all columns of each partition that it reads, and as a rule a
 * statement reads one table over the whole range, of which this is the widest, and others at its edges. `partitionsOf` is how many partitions
 * a table has.
 */
export function neededMaps(
  tables: readonly TableName[],
  { startMs, endMs }: TimeRange,
  partitionsOf: ReadonlyMap<TableName, number>,
): number {
  const needs = tables.map((table) => {
    const touched = Math.ceil((endMs - startMs) / (partitionDays(table) * dayMs)) + 1;
    return Math.min(touched, partitionsOf.get(table) ?? touched) * filesOfPartition(table);
  });
  return Math.max(0, ...needs);
}

/** A VARCHAR has one file for its values and one for where they are; an index has two. */
function filesOfPartition(table: TableName): number {
  return Object.entries(columnsOfTable[table]).reduce(
    (sum, [column, kind]) => sum + (kind === "VARCHAR" ? 2 : 1) + (indexedColumns[table]?.has(column) ? 2 : 0),
    0,
  );
}
