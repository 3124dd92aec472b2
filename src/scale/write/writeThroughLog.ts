import { setTimeout as pause } from "node:timers/promises";
import type { Pool } from "pg";
import { mapInSlices } from "../../concurrency/timeSlices.ts";
import type { Offsets } from "../../durableLog/offsets.ts";
import { StoreFailure } from "../../errors/storeFailure.ts";
import type { TableRow } from "../../store/questdb/tables.ts";
import { recordOf } from "../../store/write/loggedRow.ts";
import type { BrokerLog } from "../kafka/brokerLog.ts";
import { offsetsOf } from "../kafka/positions.ts";
import { hasReached } from "../shards/chooseReplica.ts";
import { readReplicas, type StoredReplica } from "../shards/storeReplicas.ts";

type BrokeredWrites = {
  readonly brokers: Pick<BrokerLog, "append">;
  readonly topicOf: (shard: string) => string;
  /** The shards that get the rows: the second one once the first has them. */
  readonly shards: () => Promise<readonly string[]>;
  readonly postgres: Pick<Pool, "query">;
  readonly timeoutMs: number;
};

/**
 * Writes rows that can be computed again, such as aggregates, through the log of the brokers, so that all replicas get them.
 * Resolves when every replica that may be read has committed the rows: a query that follows sees them. Rejects with StoreFailure
 * when that takes too long; the rows may then be stored or not.
 */
export async function writeThroughLog(
  { brokers, topicOf, shards, postgres, timeoutMs }: BrokeredWrites,
  rows: readonly TableRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const deadlineMs = performance.now() + timeoutMs;
  const receivedMs = Date.now();
  const records = await mapInSlices(rows, (row) => recordOf(row, receivedMs));
  const ends = new Map<string, Offsets>();
  for (const shard of await shards()) ends.set(shard, offsetsOf(await brokers.append(topicOf(shard), records)));
  for (;;) {
    const replicas = await readReplicas(postgres);
    if ([...ends].every(([shard, end]) => haveStored(replicas, shard, end))) return;
    if (performance.now() >= deadlineMs) throw new StoreFailure({ kind: "not_answering" });
    await pause(pollMs);
  }
}

/** Whether all replicas of a shard that are up have stored its log up to an end, and at least one is up. */
function haveStored(replicas: readonly StoredReplica[], shard: string, end: Offsets): boolean {
  const up = replicas.filter(
    (replica) => replica.shard === shard && replica.state === "serving" && (replica.lagMs ?? awayMs) < awayMs,
  );
  return up.length > 0 && up.every(({ offsets }) => hasReached(offsets, end));
}

const pollMs = 200;
/** Ignore replicas with more lag: they are not read until they have caught up. */
const awayMs = 10_000;
