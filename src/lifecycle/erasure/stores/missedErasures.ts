import type { Pool, PoolClient } from "pg";
import { inTransaction } from "../../../store/postgres/inTransaction.ts";
import type { ReplicaName } from "../../../store/questdb/questdbs.ts";
import type { NodeStores, ReplicaStores } from "../../../store/write/storesOfWebsites.ts";
import type { ReplicaAway } from "../deletion/deletionRow.ts";
import type { ErasureTools } from "./erasureTools.ts";

/** What a replica missed: a deletion, or a run of retention. */
export type Missed = { readonly kind: "deletion" | "retention"; readonly id: string };

/** A replica that is started again is back within this time. */
const awayAfterMs = 30_000;

/**
 * The QuestDBs in which something is erased now. A replica that has not answered for half a minute is left out if another one of its shard
 * answers: it is recorded that it missed this, and from then on nothing is read from it until it has made up for it
 * (catchUpReplica.ts). Until then it stays out.
 */
export async function storesToErase<Node extends Pick<NodeStores, "node">>(
  postgres: Pick<Pool, "query" | "connect">,
  nodes: readonly Node[],
  missed: Missed,
): Promise<readonly Node[]> {
  if (nodes.every(({ node }) => node.replica === "")) return nodes;
  const { rows } = await postgres.query<ReplicaName>(
    "SELECT shard, replica FROM missed_erasures WHERE kind = $1 AND id = $2 AND erased_at IS NULL",
    [missed.kind, missed.id],
  );
  const out = new Set(rows.map(({ shard, replica }) => `${shard}/${replica}`));
  const isLost = ({ node }: Node) =>
    node.lostSinceMs !== undefined && performance.now() - node.lostSinceMs > awayAfterMs;
  const left: Node[] = [];
  for (const each of nodes) {
    const { node } = each;
    if (out.has(node.name)) continue;
    const others = nodes.filter((other) => other !== each && other.node.shard === node.shard);
    const isReplaced = others.some((other) => other.node.lostSinceMs === undefined && !out.has(other.node.name));
    if (isLost(each) && isReplaced) {
      await recordMissed(postgres, node, missed, performance.now() - (node.lostSinceMs ?? 0));
      out.add(node.name);
    } else left.push(each);
  }
  return left;
}

/** Records what a replica misses. The same transaction takes it out of service. */
async function recordMissed(
  postgres: Pick<Pool, "connect">,
  { shard, replica }: ReplicaName,
  { kind, id }: Missed,
  lostForMs: number,
): Promise<void> {
  await inTransaction(postgres, async (client) => {
    await client.query(
      "UPDATE store_replicas SET erased_until = coalesce(erased_until, clock_timestamp()) WHERE shard = $1 AND replica = $2",
      [shard, replica],
    );
    await client.query(
      `INSERT INTO missed_erasures (shard, replica, kind, id, last_seen_at)
       VALUES ($1, $2, $3, $4, clock_timestamp() - $5 * interval '1 millisecond')
       ON CONFLICT (kind, id, shard, replica) DO UPDATE SET last_seen_at = excluded.last_seen_at, erased_at = NULL`,
      [shard, replica, kind, id, lostForMs],
    );
  });
}

/** The replicas that missed a deletion. */
export async function replicasAway(client: Pick<PoolClient, "query">, deletionId: string): Promise<ReplicaAway[]> {
  const { rows } = await client.query<{ place: string; lastSeenAt: Date; erasedAt: Date | null }>(
    `SELECT shard || '/' || replica AS place, last_seen_at AS "lastSeenAt", erased_at AS "erasedAt" FROM missed_erasures
     WHERE kind = 'deletion' AND id = $1 ORDER BY place`,
    [deletionId],
  );
  return rows.map(({ place, lastSeenAt, erasedAt }) => ({
    place,
    lastSeenAt: lastSeenAt.toISOString(),
    ...(erasedAt === null ? {} : { erasedAt: erasedAt.toISOString() }),
  }));
}

/** The QuestDBs in which a deletion is carried out now. */
export async function storesOf(
  { stores, postgres }: Pick<ErasureTools, "stores" | "postgres">,
  { id, websiteId }: { readonly id: string; readonly websiteId: string },
): Promise<readonly ReplicaStores[]> {
  return await storesToErase(postgres, await stores.of(websiteId), { kind: "deletion", id });
}

/**
 * Like storesOf, but only those that have all that was written through the log before the call. A replica that lacks some of it for half a minute is left out like one
 * that does not answer, if another one of its shard has it all.
 */
export async function storesWithLog(
  tools: Pick<ErasureTools, "stores" | "postgres">,
  deletion: { readonly id: string; readonly websiteId: string },
  signal: AbortSignal,
): Promise<readonly ReplicaStores[]> {
  for (;;) {
    const nodes = await storesOf(tools, deletion);
    const found = await Promise.all(
      nodes.map(async (stores) => ({ stores, isWhole: await stores.keepsLog(awayAfterMs, signal) })),
    );
    const whole = found.flatMap(({ stores, isWhole }) => (isWhole ? [stores] : []));
    const lacking = nodes.filter((stores) => !whole.includes(stores));
    const replaced = lacking.filter(({ node }) => whole.some((other) => other.node.shard === node.shard));
    for (const { node } of replaced)
      await recordMissed(tools.postgres, node, { kind: "deletion", id: deletion.id }, awayAfterMs);
    if (replaced.length === lacking.length) return whole;
  }
}
