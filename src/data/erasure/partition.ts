import { DateTime } from "luxon";
import type { QuestdbReader } from "../../store/questdbReader.ts";
import type { TableName } from "../../store/tables.ts";

/** The partition that holds a UTC day: the day itself or its week. */
export type Partition = {
  /** As QuestDB names it: 2026-11-21, or 2026-W47. */
  readonly name: string;
  readonly isParquet: boolean;
  /** What the rows of the partition meet. */
  readonly condition: string;
  /** Whether it holds other days as well. */
  readonly isWeek: boolean;
};

/** The partition of a table that holds a UTC day (YYYY-MM-DD); undefined when nothing is stored there. */
export async function findPartition(
  questdb: Pick<QuestdbReader, "read">,
  table: TableName,
  day: string,
  signal: AbortSignal,
): Promise<Partition | undefined> {
  const monday = DateTime.fromISO(day, { zone: "utc" }).startOf("week");
  const week = monday.toFormat("kkkk-'W'WW");
  const rows = await questdb.read(
    `SELECT name, isParquet FROM table_partitions('${table}') WHERE name IN ($1, $2)`,
    [day, week],
    { signal },
  );
  const [found] = rows;
  if (found === undefined) return undefined;
  const isWeek = found["name"] === week;
  return {
    name: String(found["name"]),
    isParquet: found["isParquet"] === true,
    condition: isWeek ? condition(monday.toMillis(), 7) : dayCondition(day),
    isWeek,
  };
}

/** Rows of a UTC day (YYYY-MM-DD). */
export function dayCondition(day: string): string {
  return condition(Date.parse(`${day}T00:00:00Z`), 1);
}

const dayMs = 86_400_000;

function condition(firstMs: number, days: number): string {
  const date = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  return `ts >= '${date(firstMs)}T00:00:00.000000Z' AND ts < '${date(firstMs + days * dayMs)}T00:00:00.000000Z'`;
}
