import type { Pool } from "pg";
import type { Logger } from "pino";
import type { Config } from "../../config.ts";
import type { Offsets } from "../../durableLog/offsets.ts";
import { epochMs } from "../../store/postgres/epochMs.ts";
import type { BrokerLog } from "../kafka/brokerLog.ts";
import type { TopicReader } from "../kafka/topicReader.ts";
import type { ShardedQuestdbs } from "../shards/shardedQuestdbs.ts";

/** Proves that the rows of an organization were removed from the shard that it left. Times are ISO 8601. */
export type MoveReceipt = {
  readonly tables: readonly { readonly table: string; readonly rowsBefore: number; readonly rowsAfter: number }[];
  /** UTC days, oldest first. */
  readonly days: readonly string[];
  /** The replicas in which the rows were erased. */
  readonly replicas: readonly string[];
  /** Since when queries read the new shard. */
  readonly switchedAt: string;
  /** Since when no file of those replicas holds the rows. */
  readonly goneAt: string;
  /** Until when the log of the old shard may hold them. */
  readonly logExpiresAt: string;
};

/** How far a move is; migration 0015 defines the states. */
export type MovePhase = "copying" | "both" | "switched" | "leaving" | "done" | "cancelled";

/** A row of the table `organization_moves`. */
export type OrganizationMove = {
  readonly id: string;
  readonly workflowId: string;
  readonly organizationId: string;
  readonly fromShard: string;
  readonly toShard: string;
  readonly phase: MovePhase;
  readonly progress: string;
  readonly idsUntil: Offsets | null;
  readonly takenUntil: Offsets | null;
  readonly rowsBefore: Readonly<Record<string, number>> | null;
  readonly days: readonly string[] | null;
  readonly switchedMs: number | null;
  readonly receipt: MoveReceipt | null;
};

/** What the steps of a move work with. */
export type MoveTools = {
  readonly postgres: Pool;
  readonly questdb: Pick<ShardedQuestdbs, "nodes" | "nodeOfShard">;
  readonly brokers: MoveBrokers;
  readonly config: Pick<Config, "questdb" | "kafka">;
  readonly log: Pick<Logger, "info" | "warn">;
};

export type MoveBrokers = {
  readonly log: Pick<BrokerLog, "append">;
  readonly topicOf: (shard: string) => string;
  readonly newReader: (shard: string) => TopicReader;
  readonly endOf: (shard: string) => Promise<Offsets>;
};

const columns = `id, workflow_id AS "workflowId", organization_id AS "organizationId", from_shard AS "fromShard", to_shard AS "toShard", phase, progress,
  ids_until AS "idsUntil", taken_until AS "takenUntil", rows_before AS "rowsBefore", days::text[] AS days, ${epochMs("switched_at")} AS "switchedMs", receipt`;

/** Rejects when there is no such move. */
export async function readMove(postgres: Pick<Pool, "query">, id: string): Promise<OrganizationMove> {
  const { rows } = await postgres.query<OrganizationMove>(`SELECT ${columns} FROM organization_moves WHERE id = $1`, [
    id,
  ]);
  const [move] = rows;
  if (move === undefined) throw new Error(`There is no move ${id}`);
  return move;
}

/** Shorter waits are not shown. */
const shownAfterMs = 5_000;

/** Returns a function that takes what a step waits for, and shows it if the wait is long. */
export function waitsOf({ postgres }: Pick<MoveTools, "postgres">, id: string): (reason: string) => void {
  const startedMs = performance.now();
  return (reason) => {
    if (performance.now() - startedMs > shownAfterMs) void noteProgress(postgres, id, reason).catch(() => undefined);
  };
}

/** Records what a move does now, or waits for. */
export async function noteProgress(postgres: Pick<Pool, "query">, id: string, progress: string): Promise<void> {
  await postgres.query("UPDATE organization_moves SET progress = $2 WHERE id = $1 AND progress <> $2", [id, progress]);
}
