import type { Pool } from "pg";
import { inTransaction } from "../../store/postgres/inTransaction.ts";
import type { ReplicaName } from "../../store/questdb/questdbs.ts";

/**
 * Takes a replica out of service that is rebuilt from a snapshot of `source`, another replica of its shard or itself: it misses all
 * that was erased since the snapshot (ISO 8601), what is being erased, and what `source` had missed. Safe to repeat.
 */
export async function missSince(
  postgres: Pick<Pool, "connect">,
  { shard, replica }: ReplicaName,
  takenAt: string,
  source: string,
): Promise<void> {
  await inTransaction(postgres, async (client) => {
    // What the service erases in it meanwhile is noted as well (storesToErase).
    await client.query(
      `UPDATE store_replicas SET state = 'rebuilding', erased_until = least(erased_until, $3::timestamptz), offsets = '{}'
       WHERE shard = $1 AND replica = $2`,
      [shard, replica, takenAt],
    );
    await client.query(
      `INSERT INTO missed_erasures (shard, replica, kind, id, last_seen_at)
       SELECT $1::text, $2::text, kind, id, $3::timestamptz FROM (
         SELECT 'deletion' AS kind, id FROM deletions
         WHERE (completed_at >= $3 OR (completed_at IS NULL AND phase <> 'waiting'))
           AND NOT EXISTS (SELECT FROM placements WHERE placements.organization_id = deletions.organization_id
             AND shard <> $1 AND moving_to IS DISTINCT FROM $1)
         UNION SELECT kind, id FROM missed_erasures
         WHERE shard = $1 AND replica = $4 AND (erased_at IS NULL OR erased_at >= $3)
         -- Making up for a run erases all that is past its retention by now: one is enough.
         UNION (SELECT 'retention', id FROM retention_runs WHERE finished_at IS NULL OR finished_at >= $3
           ORDER BY started_at DESC LIMIT 1)
       ) AS missed
       ON CONFLICT (kind, id, shard, replica) DO UPDATE SET last_seen_at = excluded.last_seen_at, erased_at = NULL`,
      [shard, replica, takenAt, source],
    );
  });
}
