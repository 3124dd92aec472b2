import { Consumer } from "@platformatic/kafka";
import { clientOptions, type KafkaSettings } from "./kafkaClient.ts";

/** By partition: everything before is read. */
export type Positions = ReadonlyMap<number, bigint>;

/** A message of the log: rows of one website, see messages.ts. */
export type LogMessage = { readonly partition: number; readonly offset: bigint; readonly value: Buffer };

export type TopicBatch = {
  /** Each partition's in its order. */
  readonly messages: readonly LogMessage[];
  /** The positions after them. */
  readonly next: Positions;
  /** Why some partitions were not read; the others were. */
  readonly failure: unknown;
};

/**
 * Reads all partitions of a topic from positions that the caller keeps. It is in no consumer group: a replica has one
 * reader, which knows from its own store where to continue, and which after a crash must not wait until the group has noticed.
 */
export class TopicReader {
  readonly #topic: string;
  readonly #consumer: Consumer;
  #mustRefresh = false;

  constructor(settings: KafkaSettings, clientId: string, topic: string) {
    this.#topic = topic;
    this.#consumer = new Consumer({
      ...clientOptions(settings, clientId),
      // The client wants one; it never joins it.
      groupId: `lookout-${clientId}`,
      retries: 0,
      autocommit: false,
    });
    this.#consumer.topics.track(topic);
  }

  /** By partition the first message that the brokers still have, and where the log ends. */
  async bounds(): Promise<{ readonly first: Positions; readonly end: Positions }> {
    const [first, end] = await Promise.all([this.#offsets(earliest), this.#offsets(latest)]);
    return { first, end };
  }

  /** Where the log ends. */
  async end(): Promise<Positions> {
    return await this.#offsets(latest);
  }

  /**
   * What follows the positions, at most about one full request of a partition (BrokerLog). Waits up to `maxWaitMs` for the first messages.
   * Rejects when no partition can be read.
   */
  async read(from: Positions, maxWaitMs: number): Promise<TopicBatch> {
    const byLeader = await this.#byLeader(from);
    const asked = [...byLeader.values()].reduce((sum, { partitions }) => sum + partitions.length, 0);
    // Rows may wait in a partition that has no leader for a moment.
    const leaderless = asked < from.size ? new Error("a partition of the log has no leader") : undefined;
    const settled = await Promise.allSettled(
      [...byLeader].map(([node, { topicId, partitions }]) =>
        this.#consumer.fetch({
          node,
          topics: [{ topicId, partitions }],
          minBytes: 1,
          maxBytes: partitionBytes * partitions.length,
          maxWaitTime: maxWaitMs,
        }),
      ),
    );
    const failed = settled.filter((result) => result.status === "rejected");
    this.#mustRefresh = failed.length > 0 || leaderless !== undefined;
    if (failed.length === settled.length) throw failed[0]?.reason ?? new Error("no partition has a leader");
    const next = new Map(from);
    const messages: LogMessage[] = [];
    for (const result of settled) if (result.status === "fulfilled") take(result.value, next, messages);
    return { messages, next, failure: failed[0]?.reason ?? leaderless };
  }

  async close(): Promise<void> {
    await this.#consumer.close(true).catch(() => undefined);
  }

  async #offsets(timestamp: bigint): Promise<Positions> {
    const offsets = await this.#consumer.listOffsets({ topics: [this.#topic], timestamp });
    return new Map((offsets.get(this.#topic) ?? []).entries());
  }

  async #byLeader(from: Positions) {
    const metadata = await this.#consumer.metadata({ topics: [this.#topic], forceUpdate: this.#mustRefresh });
    const topic = metadata.topics.get(this.#topic);
    const byLeader = new Map<number, { topicId: string; partitions: FetchPartition[] }>();
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
      });
      byLeader.set(found.leader, of);
    }
    return byLeader;
  }
}

type FetchResponse = Awaited<ReturnType<Consumer["fetch"]>>;

type FetchPartition = {
  partition: number;
  fetchOffset: bigint;
  currentLeaderEpoch: number;
  lastFetchedEpoch: number;
  partitionMaxBytes: number;
};

function take({ responses }: FetchResponse, next: Map<number, bigint>, messages: LogMessage[]): void {
  for (const { partitions } of responses)
    for (const { partitionIndex: partition, records: batches } of partitions) {
      const wanted = next.get(partition) ?? 0n;
      for (const { firstOffset, lastOffsetDelta, records } of batches ?? []) {
        // A batch is delivered as a whole, also if the position is inside of it.
        for (const { offsetDelta, value } of records) {
          const offset = firstOffset + BigInt(offsetDelta);
          if (value !== null && offset >= wanted) messages.push({ partition, offset, value });
        }
        const end = firstOffset + BigInt(lastOffsetDelta) + 1n;
        if (end > (next.get(partition) ?? 0n)) next.set(partition, end);
      }
    }
}

/** Compressed: about two megabytes of rows. */
const partitionBytes = 262_144;
const earliest = -2n;
const latest = -1n;
