import { megabytes, secondsSince, show, shownEvery } from "../../backup/commandOutput.ts";
import type { Config } from "../../config.ts";
import { createLog } from "../../observability/log.ts";
import { rebuildReplica } from "../../scale/backup/rebuildReplica.ts";
import { placeOfReplica, takeSnapshot } from "../../scale/backup/takeSnapshot.ts";
import { topicOf } from "../../scale/kafka/kafkaClient.ts";
import { TopicReader } from "../../scale/kafka/topicReader.ts";
import { recordShards } from "../../scale/shards/storeReplicas.ts";
import { preparePostgres } from "../../store/postgres/postgres.ts";
import { QuestdbReader } from "../../store/questdb/questdbReader.ts";
import type { ReplicaName } from "../../store/questdb/questdbs.ts";
import { openReplicaStores, type Stores, withStores } from "../compose.ts";

/** `npm run consumer -- … --snapshot-to <place>`. */
export async function snapshot(config: Config, name: ReplicaName, to: string, signal: AbortSignal): Promise<void> {
  const startedMs = performance.now();
  const questdb = new QuestdbReader(config.questdb, name.shard);
  try {
    const { manifest, problems } = await withStores(openStores(config), (stores) =>
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

/** `npm run consumer -- … --rebuild-from <place>`. */
export async function rebuild(config: Config, name: ReplicaName, from: string, signal: AbortSignal): Promise<void> {
  const startedMs = performance.now();
  const { id, takenAt, bytes } = await withStores(openStores(config), async (stores) => {
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

function openStores(config: Config): Stores {
  return openReplicaStores(config, createLog({ level: "silent" }, "consumer"));
}
