import type { Brokers } from "../scale/openBrokers.ts";
import { type ReplicaWriters, replicaWriters } from "../scale/shards/replicaWriters.ts";
import type { QuestdbNode } from "../store/questdb/questdbs.ts";
import { RowWriter } from "../store/write/rowWriter.ts";
import {
  onlyRecords,
  onlyStores,
  type RecordStores,
  type ReplicaStores,
  type StoresOfWebsites,
} from "../store/write/storesOfWebsites.ts";
import { newGuard, type Stores } from "./compose.ts";

/** Writers of computed rows, one for each QuestDB. */
export type OpenWriters = {
  readonly stores: StoresOfWebsites<ReplicaStores>;
  readonly records: RecordStores;
  /** The writers of all replicas; undefined with one QuestDB. */
  readonly replicas: ReplicaWriters | undefined;
  /** Resolves when every earlier write has ended. */
  close(): Promise<void>;
};

/**
 * `isReady` says whether the tables are known to exist. Each writer has its own guard, since commits to one QuestDB come one
 * after the other.
 */
export function openWriters(stores: Stores, isReady: () => boolean, brokers: Brokers | undefined): OpenWriters {
  const { metrics, log, questdb, sharded } = stores;
  const closing: (() => Promise<void>)[] = [];
  const newWriter = ({ settings, shard }: Pick<QuestdbNode, "settings" | "shard">): RowWriter => {
    const guard = newGuard(stores, undefined, shard);
    const writer = new RowWriter(settings, metrics, log, { isReady, guard });
    closing.push(() => writer.close().then(() => guard.close()));
    return writer;
  };
  const close = async () => void (await Promise.all(closing.map((end) => end())));
  if (sharded === undefined || brokers === undefined) {
    const node = questdb.only("A writer without shards");
    const writer = newWriter(node);
    return { stores: onlyStores(node, writer), records: onlyRecords(node, writer), replicas: undefined, close };
  }
  const replicas = replicaWriters(sharded, newWriter);
  return { stores: replicas, records: brokers.records, replicas, close };
}
