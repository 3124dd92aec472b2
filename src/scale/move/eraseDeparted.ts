import type { Pool } from "pg";
import { releaseTables } from "../../lifecycle/erasure/disk/releaseBytes.ts";
import { dropPartitionIfEmpty } from "../../lifecycle/erasure/stores/dropPartition.ts";
import { eraseRange } from "../../lifecycle/erasure/stores/eraseRange.ts";
import { dayCondition } from "../../store/questdb/partition.ts";
import type { NodeStores } from "../../store/write/storesOfWebsites.ts";
import { countDays, ownedRows, websitesOf } from "./movedRows.ts";

/**
 * Erases in one replica the rows of organizations that left its shard since `sinceMs` (Unix ms), which an older snapshot has
 * restored. Resolves to the number of days that it erased. Safe to repeat.
 */
export async function eraseDeparted(
  postgres: Pool,
  { node, questdb }: Pick<NodeStores, "node" | "questdb">,
  sinceMs: number,
  signal: AbortSignal,
): Promise<number> {
  let erased = 0;
  for (const organizationId of await departedSince(postgres, node.shard, sinceMs)) {
    const websiteIds = await websitesOf(postgres, organizationId);
    const days = await countDays(questdb, organizationId, websiteIds, signal);
    for (const { table, day } of days) {
      const { sql, values } = ownedRows(table, organizationId, websiteIds);
      await eraseRange(questdb, { table, day, sql: `${dayCondition(day)} AND ${sql}`, values }, signal);
      await dropPartitionIfEmpty({ questdb, postgres }, table, day, signal);
    }
    const tables = [...new Set(days.map(({ table }) => table))];
    await releaseTables({ node, questdb, postgres }, tables, () => undefined, signal);
    erased += days.length;
  }
  return erased;
}

/** Organizations that have left a shard, or whose move to it was cancelled, and that have not come back. */
async function departedSince(postgres: Pick<Pool, "query">, shard: string, sinceMs: number): Promise<string[]> {
  const { rows } = await postgres.query<{ id: string }>(
    `SELECT DISTINCT organization_id AS id FROM organization_moves AS moves
     WHERE ((from_shard = $1 AND left_at IS NOT NULL) OR (to_shard = $1 AND phase = 'cancelled'))
       AND (completed_at IS NULL OR completed_at >= to_timestamp($2::float8 / 1000))
       AND NOT EXISTS (SELECT FROM placements WHERE placements.organization_id = moves.organization_id
         AND (shard = $1 OR (moving_to = $1 AND moving_state <> 'leaving')))
     ORDER BY id`,
    [shard, sinceMs],
  );
  return rows.map(({ id }) => id);
}
