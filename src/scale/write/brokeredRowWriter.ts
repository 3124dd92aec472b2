import { setTimeout as pause } from "node:timers/promises";
import type { Pool } from "pg";
import { mapInSlices } from "../../concurrency/timeSlices.ts";
import { StoreFailure } from "../../errors/storeFailure.ts";
import type { TableRow } from "../../store/questdb/tables.ts";
import { recordOf } from "../../store/write/loggedRow.ts";
import type { Appended, BrokerLog } from "../kafka/brokerLog.ts";
import { readReplicas, type StoredReplica } from "../shards/storeReplicas.ts";

export type BrokeredRowWriterOptions = {
  readonly brokers: Pick<BrokerLog, "append">;
  readonly topicOf: (shard: string) => string;
  /** The shards that get the rows: the second one once the first has them. */
  readonly shards: () => Promise<readonly string[]>;
  readonly postgres: Pick<Pool, "query">;
  readonly timeoutMs: number;
};

/** Writes rows that can be computed again, such as aggregates, through the log of the brokers, so that all replicas get them. */
export class BrokeredRowWriter {
  readonly #options: BrokeredRowWriterOptions;

  constructor(options: BrokeredRowWriterOptions) {
    this.#options = options;
  }

  /**
   * Resolves when every replica that may be read has committed the rows: a query that follows sees them. Rejects with
   * StoreFailure when that takes too long; the rows may then be stored or not.
   */
  async write(rows: readonly TableRow[]): Promise<void> {
    if (rows.length === 0) return;
    const { brokers, topicOf, shards, postgres, timeoutMs } = this.#options;
    const deadlineMs = performance.now() + timeoutMs;
    const receivedMs = Date.now();
    const records = await mapInSlices(rows, (row) => recordOf(row, receivedMs));
    const appended = new Map<string, Appended>();
    for (const shard of await shards()) appended.set(shard, await brokers.append(topicOf(shard), records));
    for (;;) {
      const replicas = await readReplicas(postgres);
      if ([...appended].every(([shard, ends]) => haveStored(replicas, shard, ends))) return;
      if (performance.now() >= deadlineMs) throw new StoreFailure({ kind: "not_answering" });
      await pause(pollMs);
    }
  }

  async close(): Promise<void> {}
}

/** Whether all replicas of a shard that are up have stored what was appended, and at least one is up. */
export function haveStored(replicas: readonly StoredReplica[], shard: string, appended: Appended): boolean {
  const up = replicas.filter(
    (replica) => replica.shard === shard && replica.state === "serving" && (replica.lagMs ?? awayMs) < awayMs,
  );
  return (
    up.length > 0 &&
    up.every(({ offsets }) =>
      appended.every(({ partition, offset }) => BigInt(offsets[String(partition)] ?? 0) >= offset),
    )
  );
}

const pollMs = 200;
/** Ignore replicas with more lag: they are not read until they have caught up. */
const awayMs = 10_000;
