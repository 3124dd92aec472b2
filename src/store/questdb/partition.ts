import { DateTime } from "luxon";
import { isPartOf, partitionsOfDay } from "./partitionNames.ts";
import type { QuestdbReader } from "./questdbReader.ts";
import type { TableName } from "./tables.ts";

/** The partition that holds a UTC day: the day itself or its week. */
export type Partition = {
  /** 2026-11-21, or 2026-W47. */
  readonly name: string;
  readonly isParquet: boolean;
  /** The SQL condition for the rows of the partition. */
  readonly condition: string;
  /** Whether it holds other days as well. */
  readonly isWeek: boolean;
};

/** The partition of a table that holds a UTC day (YYYY-MM-DD); undefined when nothing is stored for it. */
export async function findPartition(
  questdb: Pick<QuestdbReader, "read">,
  table: TableName,
  day: string,
  signal: AbortSignal,
): Promise<Partition | undefined> {
  const names = partitionsOfDay(day);
  const rows = await questdb.read(
    `SELECT name, isParquet FROM table_partitions('${table}') WHERE name LIKE $1 OR name LIKE $2`,
    [`${names.day}%`, `${names.week}%`],
    { signal },
  );
  // A split partition is listed in parts, and the first part may be gone.
  const parts = (name: string) => rows.filter((row) => isPartOf(String(row["name"]), name));
  const isWeek = parts(names.week).length > 0;
  const name = isWeek ? names.week : names.day;
  const found = parts(name);
  if (found.length === 0) return undefined;
  const mondayMs = DateTime.fromISO(day, { zone: "utc" }).startOf("week").toMillis();
  return {
    name,
    isParquet: found.some((part) => part["isParquet"] === true),
    condition: isWeek ? condition(mondayMs, 7) : dayCondition(day),
    isWeek,
  };
}

/** The SQL condition for the rows of a UTC day (YYYY-MM-DD). */
export function dayCondition(day: string): string {
  return condition(Date.parse(`${day}T00:00:00Z`), 1);
}

const dayMs = 86_400_000;

function condition(firstMs: number, days: number): string {
  const date = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  return `ts >= '${date(firstMs)}T00:00:00.000000Z' AND ts < '${date(firstMs + days * dayMs)}T00:00:00.000000Z'`;
}
