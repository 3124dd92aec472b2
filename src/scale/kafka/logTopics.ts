import { Admin, ConfigResourceTypes, findErrorBy, IncrementalAlterConfigOperationTypes } from "@platformatic/kafka";
import type { Logger } from "pino";
import { retry } from "../../concurrency/retry.ts";
import { fileDeleteDelayMs, segmentMs } from "../../durableLog/logHorizon.ts";
import { clientOptions, type KafkaSettings, reasonOf, topicOf } from "./kafkaClient.ts";

/**
 * Creates the missing topics of these shards and sets how long they keep rows, even if that was changed by hand: the receipts of
 * erasures rely on it (logHorizon.ts). Waits for the brokers until `signal` aborts, then rejects. Any number of processes may do
 * so.
 */
export async function prepareTopics(
  settings: KafkaSettings,
  shards: readonly string[],
  log: Pick<Logger, "warn">,
  signal: AbortSignal,
): Promise<void> {
  const admin = new Admin({ ...clientOptions(settings, "topics"), retries: 0 });
  try {
    for (const shard of shards)
      await retry(() => prepareTopic(admin, settings, topicOf(settings, shard)), {
        minWaitMs: 250,
        maxWaitMs: 5_000,
        stop: signal,
        onRetry: (error, waitMs) =>
          log.warn({ reason: reasonOf(error), waitMs }, "the topics of the log are not ready, trying again"),
      });
  } finally {
    await admin.close().catch(() => undefined);
  }
}

async function prepareTopic(admin: Admin, settings: KafkaSettings, topic: string): Promise<void> {
  const configs = topicConfigs(settings);
  const known = await admin.listTopics();
  if (!known.includes(topic)) {
    const { partitions, replicas } = settings;
    await admin.createTopics({ topics: [topic], partitions, replicas, configs }).catch(whenCreated);
    return;
  }
  await admin.incrementalAlterConfigs({
    resources: [
      {
        resourceType: ConfigResourceTypes.TOPIC,
        resourceName: topic,
        configs: configs.map((config) => ({ ...config, configOperation: IncrementalAlterConfigOperationTypes.SET })),
      },
    ],
  });
}

/** Another process may have created the topic. */
function whenCreated(error: unknown): void {
  if (!(error instanceof Error) || !findErrorBy(error, "apiId", "TOPIC_ALREADY_EXISTS")) throw error;
}

function topicConfigs({ retentionMs, replicas }: KafkaSettings): { name: string; value: string }[] {
  const values = {
    // With fewer copies in sync the leader refuses rows, so accepted rows survive the loss of any broker.
    "min.insync.replicas": Math.min(2, replicas),
    "unclean.leader.election.enable": false,
    "cleanup.policy": "delete",
    "retention.ms": retentionMs,
    "retention.bytes": -1,
    // Rows are deleted a segment at a time.
    "segment.ms": Math.min(segmentMs, retentionMs),
    "file.delete.delay.ms": fileDeleteDelayMs,
    "max.message.bytes": maxMessageBytes,
    "message.timestamp.type": "CreateTime",
  };
  return Object.entries(values).map(([name, value]) => ({ name, value: String(value) }));
}

/** The most that one request appends to a partition (BrokerLog), with room for the protocol. */
export const maxMessageBytes = 8_388_608;
