import type { Pool, PoolClient } from "pg";
import type { ShardSettings } from "../../config.ts";
import type { Offsets } from "../../durableLog/offsets.ts";
import { epochMs } from "../../store/postgres/epochMs.ts";
import type { ReplicaName } from "../../store/questdb/questdbs.ts";

type Postgres = Pick<Pool, "query"> | Pick<PoolClient, "query">;

/** What the consumer of a replica reports every second or two. */
export type ReplicaReport = {
  readonly offsets: Offsets;
  /** Age of the oldest row of the log that is not stored; 0 when all are stored. */
  readonly lagMs: number;
  /** The `reportTime` from before the rest was read. */
  readonly sinceMs?: number;
};

/** A replica as PostgreSQL knows it; times are Unix ms by PostgreSQL's clock. */
export type StoredReplica = ReplicaName & {
  readonly state: "serving" | "rebuilding";
  readonly offsets: Offsets;
  /** The reported lag plus the age of the report; null before the first report. */
  readonly lagMs: number | null;
  /** Age of the report; null before the first one. */
  readonly reportAgeMs: number | null;
  /** Set while the replica lacks erasures. It has applied only those that ended before this time, and must not be read. */
  readonly erasedUntilMs: number | null;
  /** Whether processes read it. Before the first switch of a shard none is marked, and its first replica is read. */
  readonly isRead: boolean;
};

const columns = `shard, replica, state, offsets, ${epochMs("erased_until")} AS "erasedUntilMs",
  replica IS NOT DISTINCT FROM (SELECT read_replica FROM shards WHERE name = shard) AS "isRead",
  (extract(epoch FROM clock_timestamp() - reported_at) * 1000)::float8 AS "reportAgeMs",
  (lag_ms + extract(epoch FROM clock_timestamp() - reported_at) * 1000)::float8 AS "lagMs"`;

/** All replicas, in the order of their names. */
export async function readReplicas(postgres: Postgres): Promise<StoredReplica[]> {
  const { rows } = await postgres.query<StoredReplica>(`SELECT ${columns} FROM store_replicas ORDER BY shard, replica`);
  return rows;
}

/** One replica as PostgreSQL knows it; undefined when it is not in SHARDS. */
export async function readReplica(
  postgres: Postgres,
  { shard, replica }: ReplicaName,
): Promise<StoredReplica | undefined> {
  return (await readReplicas(postgres)).find((each) => each.shard === shard && each.replica === replica);
}

/**
 * The time from which the age of a report is counted, Unix ms by PostgreSQL's clock. Read it before the report is made: a report
 * that waits for PostgreSQL would otherwise look newer than it is.
 */
export async function reportTime(postgres: Postgres): Promise<number> {
  const { rows } = await postgres.query<{ nowMs: number }>(`SELECT ${epochMs("clock_timestamp()")} AS "nowMs"`);
  const [row] = rows;
  if (row === undefined) throw new Error("PostgreSQL did not say the time");
  return row.nowMs;
}

/** Records what a replica's consumer has stored. Rejects when the replica is not in SHARDS. */
export async function reportReplica(postgres: Postgres, name: ReplicaName, report: ReplicaReport): Promise<void> {
  const { rowCount } = await postgres.query({
    name: "report replica",
    text: `UPDATE store_replicas SET offsets = $3, lag_ms = $4,
             reported_at = coalesce(to_timestamp($5::float8 / 1000), clock_timestamp())
           WHERE shard = $1 AND replica = $2`,
    values: [
      name.shard,
      name.replica,
      JSON.stringify(report.offsets),
      Math.max(0, Math.round(report.lagMs)),
      report.sinceMs ?? null,
    ],
  });
  if (rowCount === 0) throw new Error(`PostgreSQL has no replica ${name.replica} of the shard ${name.shard}`);
}

/** Records that queries switch to a replica. All processes follow, so that their answers agree. */
export async function recordReadReplica(postgres: Postgres, { shard, replica }: ReplicaName): Promise<void> {
  await postgres.query("UPDATE shards SET read_replica = $2 WHERE name = $1", [shard, replica]);
}

/** Sets whether a replica may be read: `rebuilding` while it lacks rows. */
export async function setReplicaState(
  postgres: Postgres,
  { shard, replica }: ReplicaName,
  state: StoredReplica["state"],
): Promise<void> {
  await postgres.query("UPDATE store_replicas SET state = $3 WHERE shard = $1 AND replica = $2", [
    shard,
    replica,
    state,
  ]);
}

/**
 * Records the shards and replicas of SHARDS. At the first start with shards all existing organizations are placed on the first
 * one, whose QuestDB has their rows. A replica added to a shard with consumers is not read until its own consumer has stored the
 * log. Safe to repeat; run it under the lock of a start.
 */
export async function recordShards(client: Pick<PoolClient, "query">, shards: readonly ShardSettings[]): Promise<void> {
  const [first] = shards;
  if (first === undefined) return;
  const { rows: known } = await client.query("SELECT FROM shards LIMIT 1");
  await client.query("INSERT INTO shards (name) SELECT unnest($1::text[]) ON CONFLICT DO NOTHING", [
    shards.map(({ name }) => name),
  ]);
  for (const { name, replicas } of shards)
    for (const replica of replicas)
      await client.query(
        `INSERT INTO store_replicas (shard, replica, questdb_http, questdb_pg, state)
         SELECT $1::text, $2, $3, $4, CASE WHEN EXISTS (SELECT FROM store_replicas WHERE shard = $1 AND reported_at IS NOT NULL)
           THEN 'rebuilding' ELSE 'serving' END
         ON CONFLICT (shard, replica) DO UPDATE SET questdb_http = excluded.questdb_http, questdb_pg = excluded.questdb_pg`,
        [name, replica.name, withoutLogin(replica.http), withoutLogin(replica.pg)],
      );
  if (known.length > 0) return;
  await client.query("INSERT INTO placements (organization_id, shard) SELECT id, $1 FROM organizations", [first.name]);
}

function withoutLogin(address: string): string {
  const url = new URL(address);
  url.username = "";
  url.password = "";
  return url.href;
}
