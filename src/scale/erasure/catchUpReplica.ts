import type { Pool } from "pg";
import type { Logger } from "pino";
import type { Config } from "../../config.ts";
import { daysOf } from "../../lifecycle/erasure/deletion/daysOf.ts";
import type { Deletion } from "../../lifecycle/erasure/deletion/deletionRow.ts";
import { targetsOf } from "../../lifecycle/erasure/deletion/deletionScope.ts";
import { readDeletion } from "../../lifecycle/erasure/deletion/readDeletion.ts";
import { releaseQuestdbBytes } from "../../lifecycle/erasure/disk/releaseBytes.ts";
import { eraseDeletionRange } from "../../lifecycle/erasure/steps/eraseDeletionRange.ts";
import { eraseEmptyRecords } from "../../lifecycle/erasure/steps/recomputeTouchedDays.ts";
import { type Missed, replicasAway } from "../../lifecycle/erasure/stores/missedErasures.ts";
import { eraseExpiredRange } from "../../lifecycle/retention/eraseExpiredRange.ts";
import { findExpiredDays } from "../../lifecycle/retention/findExpiredDays.ts";
import { advisoryLocks } from "../../store/postgres/advisoryLocks.ts";
import { inTransaction } from "../../store/postgres/inTransaction.ts";
import type { NodeStores, ReplicaStores } from "../../store/write/storesOfWebsites.ts";
import { eraseDeparted } from "../move/eraseDeparted.ts";
import { readReplica } from "../shards/storeReplicas.ts";

export type CatchUpTools = {
  readonly postgres: Pool;
  readonly config: Config;
  readonly log: Logger;
};

/**
 * Applies the erasures that a replica missed while it did not answer, if it answers now, and lets it be read again. Resolves to
 * the number of erasures that it applied; 0 also while another worker does it. Safe to repeat.
 */
export async function catchUpReplica(tools: CatchUpTools, stores: ReplicaStores, signal: AbortSignal): Promise<number> {
  const { postgres, log } = tools;
  const { shard, replica, name, lostSinceMs } = stores.node;
  if (replica === "" || lostSinceMs !== undefined) return 0;
  const known = await readReplica(postgres, stores.node);
  // Wait until it has consumed the log, or records whose events are still to come would be erased.
  if (known === undefined || known.state === "rebuilding") return 0;
  const { rows } = await postgres.query<Missed & { readonly isUnderWay: boolean }>(
    `SELECT kind, id, EXISTS (SELECT FROM deletions WHERE deletions.id = missed_erasures.id AND unreadable_at IS NULL) AS "isUnderWay"
     FROM missed_erasures WHERE shard = $1 AND replica = $2 AND erased_at IS NULL ORDER BY kind, last_seen_at, id`,
    [shard, replica],
  );
  // Wait for deletions under way: the other replicas have not recomputed yet what stays.
  if (rows.some(({ isUnderWay }) => isUnderWay)) return 0;
  const { erasedUntilMs } = known;
  if (rows.length === 0 && erasedUntilMs === null) return 0;
  return await inTransaction(postgres, async (client) => {
    const { rows: locks } = await client.query<{ isTaken: boolean }>(
      `SELECT pg_try_advisory_xact_lock($1, hashtext($2)) AS "isTaken"`,
      [advisoryLocks.catchUp, name],
    );
    if (locks[0]?.isTaken !== true) return 0;
    // Records that the other replicas have recomputed come through the log.
    if (!(await stores.keepsLog(keepsLogWithinMs, signal))) return 0;
    for (const missed of rows) {
      if (missed.kind === "deletion") await eraseAgain(tools, stores, missed.id, signal);
      else await expireAgain(tools, stores, missed.id, signal);
      await recordErasedAt(postgres, stores, missed);
      log.info({ replica: name, kind: missed.kind, id: missed.id }, "a replica has applied an erasure that it missed");
    }
    if (erasedUntilMs !== null) await eraseDeparted(postgres, stores, erasedUntilMs, signal);
    await serveAgain(postgres, shard, replica);
    return rows.length;
  });
}

/** How long one attempt waits until a replica that is back has stored the log. */
const keepsLogWithinMs = 30_000;

/** Carries out a deletion in one replica. */
async function eraseAgain(
  { postgres }: CatchUpTools,
  stores: NodeStores,
  id: string,
  signal: AbortSignal,
): Promise<void> {
  const deletion: Deletion = await readDeletion(postgres, id);
  const { questdb } = stores;
  for (;;) {
    const days = new Set<string>();
    for (const target of targetsOf(deletion))
      for (const day of await daysOf({ questdb }, target, signal)) days.add(day);
    if (days.size === 0) break;
    for (const day of days) await eraseDeletionRange({ questdb, postgres }, deletion, day, signal);
  }
  // Records that the other replicas have recomputed come through the log.
  await eraseEmptyRecords({ questdb }, deletion.websiteId, deletion.touchedDays, signal);
  await releaseQuestdbBytes({ ...stores, postgres }, deletion, () => undefined, signal);
}

/** Erases expired rows in one replica. */
async function expireAgain(
  tools: CatchUpTools,
  { questdb }: NodeStores,
  runId: string,
  signal: AbortSignal,
): Promise<void> {
  const scope = { nowMs: Date.now() };
  const nodeTools = { ...tools, questdb };
  for (const { table, days } of await findExpiredDays(nodeTools, scope, signal))
    for (const day of days) await eraseExpiredRange(nodeTools, runId, scope, table, day, signal);
}

/** Records that a replica has applied a missed erasure, also in the receipt of the deletion. */
async function recordErasedAt(
  postgres: Pick<Pool, "connect">,
  { node }: Pick<NodeStores, "node">,
  { kind, id }: Missed,
): Promise<void> {
  await inTransaction(postgres, async (client) => {
    await client.query(
      "UPDATE missed_erasures SET erased_at = clock_timestamp() WHERE shard = $1 AND replica = $2 AND kind = $3 AND id = $4",
      [node.shard, node.replica, kind, id],
    );
    if (kind === "deletion")
      await client.query(
        "UPDATE deletions SET receipt = receipt || jsonb_build_object('replicasAway', $2::jsonb) WHERE id = $1 AND receipt IS NOT NULL",
        [id, JSON.stringify(await replicasAway(client, id))],
      );
  });
}

/** Lets a replica be read again, unless it has missed another erasure meanwhile: both lock its row. */
async function serveAgain(postgres: Pick<Pool, "connect">, shard: string, replica: string): Promise<void> {
  await inTransaction(postgres, async (client) => {
    await client.query("SELECT FROM store_replicas WHERE shard = $1 AND replica = $2 FOR UPDATE", [shard, replica]);
    await client.query(
      `UPDATE store_replicas SET erased_until = NULL WHERE shard = $1 AND replica = $2
         AND NOT EXISTS (SELECT FROM missed_erasures WHERE shard = $1 AND replica = $2 AND erased_at IS NULL)`,
      [shard, replica],
    );
  });
}
