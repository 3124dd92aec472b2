import { megabytes, secondsSince, show, shownEvery } from "../../backup/commandOutput.ts";
import { rebuildReplica } from "../../backup/replica/rebuildReplica.ts";
import { placeOfReplica, takeSnapshot } from "../../backup/replica/takeSnapshot.ts";
import type { Config } from "../../config.ts";
import { topicOf } from "../../durableLog/kafka/kafkaClient.ts";
import { TopicReader } from "../../durableLog/kafka/topicReader.ts";
import { createLog } from "../../observability/log.ts";
import { preparePostgres } from "../../store/postgres/postgres.ts";
import { QuestdbReader } from "../../store/questdb/questdbReader.ts";
import { type ReplicaName, recordShards } from "../../store/shards/storeReplicas.ts";
import { openStores, type Stores } from "../compose.ts";

/** `npm run store -- … --snapshot-to <place>`. */
export async function snapshot(config: Config, name: ReplicaName, to: string, signal: AbortSignal): Promise<void> {
  const startedMs = performance.now();
  const questdb = new QuestdbReader(config.questdb, name.shard);
  try {
    const { manifest, problems } = await withStores(config, signal, (stores) =>
      takeSnapshot({ ...stores, questdb }, name, to, shownEvery("snapshot"), signal),
    );
    const { id, bytes, bytesWritten } = manifest;
    show(
      `snapshot ${id} at ${placeOfReplica(to, name)}: ${megabytes(bytes)} MB, of which ${megabytes(bytesWritten)} MB ` +
        `(compressed) were new, in ${secondsSince(startedMs)} s`,
    );
    for (const problem of problems) show(`this snapshot is made. No object of earlier ones was removed: ${problem}`);
  } finally {
    await questdb.close();
  }
}

/** `npm run store -- … --rebuild-from <place>`. */
export async function rebuild(config: Config, name: ReplicaName, from: string, signal: AbortSignal): Promise<void> {
  const startedMs = performance.now();
  const { id, takenAt, bytes } = await withStores(config, signal, async (stores) => {
    await preparePostgres(stores.postgres, stores.log, signal, (client) => recordShards(client, config.questdb.shards));
    const reader = new TopicReader(config.kafka, `rebuild-${name.shard}`, topicOf(config.kafka, name.shard));
    const firstOfLog = async () => (await reader.bounds()).first;
    try {
      return await rebuildReplica({ ...stores, config, firstOfLog }, name, from, shownEvery("files"));
    } finally {
      await reader.close();
    }
  });
  show(
    `${name.shard}/${name.replica} has the files of snapshot ${id}, taken at ${takenAt}: ${megabytes(bytes)} MB in ${secondsSince(startedMs)} s. ` +
      "Start its QuestDB and its consumer; /readyz says when it is read.",
  );
}

async function withStores<T>(config: Config, signal: AbortSignal, work: (stores: Stores) => Promise<T>): Promise<T> {
  const own = { ...config, questdb: { ...config.questdb, shards: [] } };
  const stores = openStores(own, createLog({ level: "silent" }, "store"));
  try {
    signal.throwIfAborted();
    return await work(stores);
  } finally {
    await Promise.all([stores.postgres.end(), stores.questdb.close()]);
  }
}
