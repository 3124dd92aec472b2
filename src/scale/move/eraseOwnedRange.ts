import { dropPartitionIfEmpty } from "../../lifecycle/erasure/stores/dropPartition.ts";
import { eraseRange } from "../../lifecycle/erasure/stores/eraseRange.ts";
import { dayCondition } from "../../store/questdb/partition.ts";
import { countDays, ownedRows, type TableDay, websitesOf } from "./movedRows.ts";
import type { MoveTools } from "./organizationMove.ts";

type Tools = Pick<MoveTools, "postgres" | "questdb">;

/** Erases an organization's rows of one day of a table in all replicas of a shard. Safe to repeat. */
export async function eraseOwnedRange(
  { postgres, questdb }: Tools,
  shard: string,
  organizationId: string,
  { table, day }: TableDay,
  signal: AbortSignal,
): Promise<void> {
  const { sql, values } = ownedRows(table, organizationId, await websitesOf(postgres, organizationId));
  for (const { reader } of questdb.nodes.filter((node) => node.shard === shard))
    if (await eraseRange(reader, { table, day, sql: `${dayCondition(day)} AND ${sql}`, values }, signal))
      await dropPartitionIfEmpty({ questdb: reader, postgres }, table, day, signal);
}

/**
 * What a shard has of an organization: the days of each table, and per table the largest number of rows in any of its replicas.
 */
export async function ownedDays(
  { postgres, questdb }: Tools,
  shard: string,
  organizationId: string,
  signal: AbortSignal,
): Promise<{ readonly days: readonly TableDay[]; readonly rows: Readonly<Record<string, number>> }> {
  const websiteIds = await websitesOf(postgres, organizationId);
  const days = new Map<string, TableDay>();
  const most: Record<string, number> = {};
  for (const { reader } of questdb.nodes.filter((node) => node.shard === shard)) {
    const own: Record<string, number> = {};
    for (const { table, day, rows } of await countDays(reader, organizationId, websiteIds, signal)) {
      days.set(`${table} ${day}`, { table, day });
      own[table] = (own[table] ?? 0) + rows;
    }
    for (const [table, rows] of Object.entries(own)) most[table] = Math.max(most[table] ?? 0, rows);
  }
  // Newest first: new rows of the table wait for the erasure of their day.
  return { days: [...days.values()].sort((one, other) => other.day.localeCompare(one.day)), rows: most };
}
