import { Consumer } from "@platformatic/kafka";
import { type Fetched, fetchedMessages, type LogMessage } from "./fetchedMessages.ts";
import { clientOptions, type KafkaSettings } from "./kafkaClient.ts";
import type { Positions } from "./positions.ts";

export type TopicBatch = {
  /** In order within each partition. */
  readonly messages: readonly LogMessage[];
  /** The positions after them. */
  readonly next: Positions;
  /** Why some partitions were not read; the others were. */
  readonly failure: unknown;
};

/**
 * Reads all partitions of a topic from positions that the caller keeps. It joins no consumer group: a replica has one reader,
 * which knows from its own store where to continue. After a crash it must not wait until the group has noticed.
 */
export class TopicReader {
  readonly #topic: string;
  readonly #consumer: Consumer;
  #mustRefresh = false;

  constructor(settings: KafkaSettings, clientId: string, topic: string) {
    this.#topic = topic;
    this.#consumer = new Consumer({
      ...clientOptions(settings, clientId),
      // The client requires one; it never joins it.
      groupId: `lookout-${clientId}`,
      retries: 0,
      autocommit: false,
    });
    this.#consumer.topics.track(topic);
  }

  /** By partition: the first offset that the brokers still have, and the end of the log. */
  async bounds(): Promise<{ readonly first: Positions; readonly end: Positions }> {
    const [first, end] = await Promise.all([this.#offsets(earliest), this.#offsets(latest)]);
    return { first, end };
  }

  /** The end offsets of the log. */
  async end(): Promise<Positions> {
    return await this.#offsets(latest);
  }

  /**
   * Reads what follows the positions, at most about one full request of a partition (BrokerLog). Waits up to `maxWaitMs` for the
   * first messages. If the leader cannot give a partition, for example with damaged messages on its disk, another broker is read.
   * Rejects when no partition can be read.
   */
  async read(from: Positions, maxWaitMs: number): Promise<TopicBatch> {
    const byLeader = await this.#byLeader(from);
    const asked = [...byLeader.values()].reduce((sum, { partitions }) => sum + partitions.length, 0);
    // A partition that has no leader for a moment may have rows.
    const leaderless = asked < from.size ? new Error("a partition of the log has no leader") : undefined;
    const next = new Map(from);
    const messages: LogMessage[] = [];
    const take = (found: FetchedByPartition) => {
      for (const [partition, fetched] of found) {
        next.set(partition, fetched.next);
        messages.push(...fetched.messages);
      }
    };
    const failures: unknown[] = [];
    let isLeaderAway = false;
    await Promise.all(
      [...byLeader].map(async ([node, { topicId, partitions }]) => {
        try {
          take(await this.#fetch(node, topicId, partitions, maxWaitMs));
        } catch {
          isLeaderAway = true;
          for (const partition of partitions)
            await this.#fetchFromOther(node, topicId, partition).then(take, (error: unknown) => failures.push(error));
        }
      }),
    );
    this.#mustRefresh = isLeaderAway || leaderless !== undefined;
    if (failures.length === asked) throw failures[0] ?? new Error("no partition has a leader");
    return { messages, next, failure: failures[0] ?? leaderless };
  }

  async close(): Promise<void> {
    await this.#consumer.close(true).catch(() => undefined);
  }

  async #offsets(timestamp: bigint): Promise<Positions> {
    const offsets = await this.#consumer.listOffsets({ topics: [this.#topic], timestamp });
    return new Map((offsets.get(this.#topic) ?? []).entries());
  }

  /** Reads partitions from one broker. Rejects when it does not answer or a message is damaged. */
  async #fetch(
    node: number,
    topicId: string,
    partitions: readonly PartitionToFetch[],
    maxWaitMs: number,
  ): Promise<FetchedByPartition> {
    const { responses } = await this.#consumer.fetch({
      node,
      topics: [{ topicId, partitions: partitions.map(({ inSync: _, ...partition }) => partition) }],
      minBytes: 1,
      maxBytes: partitionBytes * partitions.length,
      maxWaitTime: maxWaitMs,
    });
    const from = new Map(partitions.map(({ partition, fetchOffset }) => [partition, fetchOffset]));
    const found = responses.flatMap((response) => response.partitions);
    return new Map(found.map((one) => [one.partitionIndex, fetchedMessages(one, from.get(one.partitionIndex) ?? 0n)]));
  }

  /** Reads a partition from the other brokers with a copy (KIP-392 lets followers answer consumers). Rejects when none has it. */
  async #fetchFromOther(leader: number, topicId: string, partition: PartitionToFetch): Promise<FetchedByPartition> {
    const attempts: unknown[] = [];
    for (const node of partition.inSync.filter((each) => each !== leader))
      try {
        return await this.#fetch(node, topicId, [partition], 0);
      } catch (error) {
        attempts.push(error);
      }
    throw attempts[0] ?? new Error(`partition ${partition.partition} of the log has no other copy`);
  }

  async #byLeader(from: Positions) {
    const metadata = await this.#consumer.metadata({ topics: [this.#topic], forceUpdate: this.#mustRefresh });
    const topic = metadata.topics.get(this.#topic);
    const byLeader = new Map<number, { topicId: string; partitions: PartitionToFetch[] }>();
    for (const [partition, fetchOffset] of from) {
      const found = topic?.partitions[partition];
      if (topic === undefined || found === undefined || found.leader < 0) continue;
      const of = byLeader.get(found.leader) ?? { topicId: topic.id, partitions: [] };
      of.partitions.push({
        partition,
        fetchOffset,
        currentLeaderEpoch: found.leaderEpoch,
        lastFetchedEpoch: -1,
        partitionMaxBytes: partitionBytes,
        inSync: found.isr,
      });
      byLeader.set(found.leader, of);
    }
    return byLeader;
  }
}

type FetchedByPartition = ReadonlyMap<number, Fetched>;

type PartitionToFetch = {
  readonly partition: number;
  readonly fetchOffset: bigint;
  readonly currentLeaderEpoch: number;
  readonly lastFetchedEpoch: number;
  readonly partitionMaxBytes: number;
  /** The brokers that have all of it. */
  readonly inSync: readonly number[];
};

/** Compressed: about two megabytes of rows. */
const partitionBytes = 262_144;
const earliest = -2n;
const latest = -1n;
