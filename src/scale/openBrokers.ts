import type { Pool } from "pg";
import type { Logger } from "pino";
import type { Config } from "../config.ts";
import type { FileLog } from "../durableLog/fileLog.ts";
import type { Offsets } from "../durableLog/offsets.ts";
import type { Metrics } from "../observability/metrics.ts";
import type { AcceptedRows } from "../store/write/acceptedRows.ts";
import type { RecordStores } from "../store/write/storesOfWebsites.ts";
import { BrokerLog } from "./kafka/brokerLog.ts";
import { topicOf } from "./kafka/kafkaClient.ts";
import { LogEnds } from "./kafka/logEnds.ts";
import { prepareTopics } from "./kafka/logTopics.ts";
import { TopicReader } from "./kafka/topicReader.ts";
import type { ShardedQuestdbs } from "./shards/shardedQuestdbs.ts";
import { BrokeredRows } from "./write/brokeredRows.ts";
import { writeThroughLog } from "./write/writeThroughLog.ts";

/** The log of the brokers, with a topic for each shard. */
export type Brokers = {
  readonly log: BrokerLog;
  readonly topicOf: (shard: string) => string;
  /** Reads the log of a shard. The caller closes it. */
  readonly newReader: (shard: string) => TopicReader;
  /** The end offsets of the log of a shard. */
  readonly endOf: (shard: string) => Promise<Offsets>;
  /** Takes accepted rows. `files` keeps them while the brokers do not take them. */
  readonly openRows: (files: FileLog) => AcceptedRows;
  /**
   * The stores of computed records. Their source rows are read from the replica in use. The records reach all replicas through the
   * log, after the rows that they were computed from.
   */
  readonly records: RecordStores;
  close(): Promise<void>;
};

type BrokerStores = {
  readonly config: Config;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly postgres: Pool;
  readonly sharded: ShardedQuestdbs;
};

/** Connections are made on first use. Topics are created in the background. */
export function openBrokers({ config, log, metrics, postgres, sharded }: BrokerStores, clientId: string): Brokers {
  const { kafka } = config;
  const brokers = new BrokerLog(kafka, clientId, metrics, log);
  prepareTopics(kafka, sharded.shards, log, brokers.closing).catch(() => undefined);
  const topic = (shard: string) => topicOf(kafka, shard);
  const newReader = (shard: string) => new TopicReader(kafka, `${clientId}-${shard}`, topic(shard));
  const ends = new LogEnds(newReader);
  const endOf = (shard: string) => ends.of(shard);
  sharded.useLog(endOf);
  const topicsOf = async (owner: string) => (await sharded.shardsToWrite(owner)).map(topic);
  const { whenUnavailable } = kafka;
  return {
    log: brokers,
    topicOf: topic,
    newReader,
    endOf,
    openRows: (files) => new BrokeredRows({ brokers, files, topicsOf, whenUnavailable }, log),
    records: {
      of: async (websiteId) => {
        const node = await sharded.nodeOf(websiteId);
        const shards = () => sharded.shardsToWrite(websiteId);
        const writes = { brokers, topicOf: topic, shards, postgres, timeoutMs: config.questdb.commitTimeoutMs };
        return { node, questdb: node.reader, rows: { write: (rows) => writeThroughLog(writes, rows) } };
      },
    },
    close: async () => void (await Promise.all([brokers.close(), ends.close()])),
  };
}
