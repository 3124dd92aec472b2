import { CompressionAlgorithms, ProduceAcks, type ProduceResult, Producer } from "@platformatic/kafka";
import type { Logger } from "pino";
import type { NewRecord } from "../../durableLog/durableLog.ts";
import { StoreFailure } from "../../errors/storeFailure.ts";
import type { Metrics } from "../../observability/metrics.ts";
import { clientOptions, type KafkaSettings, reasonOf } from "./kafkaClient.ts";
import { type Message, messagesOf, partitionOf } from "./messages.ts";
import type { Positions } from "./positions.ts";

type BrokerMetrics = Pick<Metrics, "brokerPendingBytes" | "brokerUnavailable" | "brokerAppendSeconds">;

/** A part of an append that waits for its partition. */
type Waiting = {
  readonly messages: readonly Message[];
  readonly bytes: number;
  readonly oldestMs: number;
  /** performance.now() */
  readonly deadlineMs: number;
  readonly resolve: (offset: bigint) => void;
  readonly reject: (error: unknown) => void;
};

/** A partition of a topic. One request at a time takes everything that waits, so that rows stay in order. */
type Lane = {
  readonly topic: string;
  readonly partition: number;
  waiting: Waiting[];
  taken: readonly Waiting[];
  sending: Promise<void> | undefined;
  /** performance.now() when the last request began. */
  startedMs: number;
  /** Ends the gathering and sends what waits; set while more is gathered. */
  sendNow: (() => void) | undefined;
  /** performance.now() until which nothing is sent after a failed request. 0 while the partition takes rows. */
  downUntilMs: number;
};

/**
 * Appends rows to the log of the brokers. A row is acknowledged once all copies in sync have it, and never fewer than two
 * (prepareTopics), so it survives the loss of any one broker.
 *
 * A request is retried until its deadline. After that the partition counts as down: its rows are refused at once, except for one
 * request each second that probes it. A refused row may still be in the log. Storing it twice is harmless, since the consumers
 * recognise ids and QuestDB deduplicates.
 */
export class BrokerLog {
  readonly #settings: KafkaSettings;
  readonly #metrics: BrokerMetrics;
  readonly #log: Pick<Logger, "warn" | "info">;
  readonly #lanes = new Map<string, Lane>();
  readonly #newProducer: () => Producer;
  #producer: Producer | undefined;
  #pendingBytes = 0;
  readonly #closing = new AbortController();

  constructor(settings: KafkaSettings, clientId: string, metrics: BrokerMetrics, log: Pick<Logger, "warn" | "info">) {
    this.#settings = settings;
    this.#metrics = metrics;
    this.#log = log;
    const options = clientOptions(settings, clientId);
    this.#newProducer = () =>
      new Producer({
        ...options,
        acks: ProduceAcks.ALL,
        idempotent: true,
        autocreateTopics: false,
        timeout: produceTimeoutMs,
        // With 0 or 1 the client would retry forever.
        retries: 2,
        retryDelay: 150,
      });
  }

  /**
   * Resolves when the brokers have the records, to the positions after them. Rejects with StoreFailure when they do not take them
   * in time, or too many records wait; some of them may then be in the log.
   */
  async append(topic: string, records: readonly NewRecord[]): Promise<Positions> {
    if (this.#closing.signal.aborted) throw new StoreFailure({ kind: "stopping" });
    const { partitions } = this.#settings;
    const messages = messagesOf(records);
    const bytes = messages.reduce((sum, { value }) => sum + value.length, 0);
    if (this.#pendingBytes + bytes > maxPendingBytes) throw new StoreFailure({ kind: "log_full" });
    const oldestMs = records.reduce((oldest, { receivedMs }) => Math.min(oldest, receivedMs), Number.POSITIVE_INFINITY);
    const stopTimer = this.#metrics.brokerAppendSeconds.startTimer();
    const appended = await Promise.all(
      [...Map.groupBy(messages, ({ key }) => partitionOf(key, partitions))].map(async ([partition, own]) => {
        const lane = this.#laneOf(topic, partition);
        const parts = partsOf(own).map((part) => this.#enqueue(lane, part, oldestMs));
        return [partition, (await Promise.all(parts)).at(-1) ?? 0n] as const;
      }),
    );
    stopTimer();
    return new Map(appended);
  }

  /** Aborted by `close`. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** Whether the last request to a partition failed. */
  get isDown(): boolean {
    return this.#lanes.values().some(({ downUntilMs }) => downUntilMs > 0);
  }

  /** Unix ms: no row that waits for the brokers was received before this. Undefined when none waits. */
  get oldestMs(): number | undefined {
    let oldestMs = Number.POSITIVE_INFINITY;
    for (const { waiting, taken } of this.#lanes.values())
      for (const each of [...waiting, ...taken]) oldestMs = Math.min(oldestMs, each.oldestMs);
    return oldestMs === Number.POSITIVE_INFINITY ? undefined : oldestMs;
  }

  /** Takes no more rows. Resolves when the waiting ones are in the log or refused. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all([...this.#lanes.values()].map(({ sending }) => sending));
    await this.#producer?.close(true).catch(() => undefined);
  }

  #laneOf(topic: string, partition: number): Lane {
    const key = `${topic} ${partition}`;
    let lane = this.#lanes.get(key);
    if (lane === undefined) {
      const idle = { sending: undefined, startedMs: Number.NEGATIVE_INFINITY, sendNow: undefined, downUntilMs: 0 };
      lane = { topic, partition, waiting: [], taken: [], ...idle };
      this.#lanes.set(key, lane);
    }
    return lane;
  }

  #enqueue(lane: Lane, messages: readonly Message[], oldestMs: number): Promise<bigint> {
    const { timeoutMs } = this.#settings;
    const nowMs = performance.now();
    const isDown = lane.downUntilMs > 0;
    if (isDown && (lane.downUntilMs > nowMs || lane.sending !== undefined))
      return Promise.reject(new StoreFailure({ kind: "log_unavailable" }));
    const bytes = messages.reduce((sum, { value }) => sum + value.length, 0);
    this.#count(bytes);
    return new Promise<bigint>((resolve, reject) => {
      // A probe must not hold up its caller for long.
      const deadlineMs = nowMs + (isDown ? Math.min(timeoutMs, probeTimeoutMs) : timeoutMs);
      lane.waiting.push({ messages, bytes, oldestMs, deadlineMs, resolve, reject });
      if (isMuch(lane)) lane.sendNow?.();
      lane.sending ??= this.#sendAll(lane);
    }).finally(() => this.#count(-bytes));
  }

  async #sendAll(lane: Lane): Promise<void> {
    // Appends of the same tick share the request.
    await undefined;
    while (lane.waiting.length > 0) {
      await gather(lane);
      lane.startedMs = performance.now();
      lane.taken = takeRequest(lane.waiting, ({ bytes }) => bytes);
      await this.#sendTaken(lane);
      lane.taken = [];
    }
    lane.sending = undefined;
  }

  async #sendTaken(lane: Lane): Promise<void> {
    const { taken } = lane;
    const deadlineMs = taken.reduce((latest, each) => Math.max(latest, each.deadlineMs), 0);
    try {
      const offset = await this.#send(lane, deadlineMs);
      if (lane.downUntilMs > 0) this.#log.info({ partition: lane.partition }, "the brokers take rows again");
      lane.downUntilMs = 0;
      for (const { resolve } of taken) resolve(offset);
    } catch (error) {
      if (lane.downUntilMs === 0)
        this.#log.warn({ reason: reasonOf(error), partition: lane.partition }, "the brokers do not take rows");
      lane.downUntilMs = performance.now() + downMs;
      const failure = new StoreFailure({ kind: "log_unavailable" }, error);
      for (const { reject } of [...taken, ...lane.waiting.splice(0)]) reject(failure);
    }
    this.#metrics.brokerUnavailable.set(this.isDown ? 1 : 0);
  }

  /** Retries until the deadline. Resolves to the offset after the rows. */
  async #send({ topic, partition, taken }: Lane, deadlineMs: number): Promise<bigint> {
    const messages = taken.flatMap((each) =>
      each.messages.map(({ key, value }) => ({ topic, partition, key: Buffer.from(key), value })),
    );
    const bytes = taken.reduce((sum, each) => sum + each.bytes, 0);
    const compression = bytes < compressedBytes ? CompressionAlgorithms.NONE : CompressionAlgorithms.ZSTD;
    for (;;) {
      this.#producer ??= this.#newProducer();
      const producer = this.#producer;
      try {
        const result = await before(deadlineMs, producer.send({ messages, compression }));
        return endOf(result, partition) + BigInt(messages.length);
      } catch (error) {
        const leftMs = deadlineMs - performance.now();
        if (leftMs <= retryMs) {
          // A request may still be under way, and its connection may hang.
          if (this.#producer === producer) this.#producer = undefined;
          void producer.close(true).catch(() => undefined);
          throw error;
        }
        await new Promise((resolve) => setTimeout(resolve, retryMs));
      }
    }
  }

  #count(bytes: number): void {
    this.#pendingBytes += bytes;
    this.#metrics.brokerPendingBytes.set(this.#pendingBytes);
  }
}

/**
 * Waits for more rows, unless many wait already or the last request began a while ago. A request costs brokers and processes more
 * than the rows in it.
 */
async function gather(lane: Lane): Promise<void> {
  const leftMs = lane.startedMs + gatherMs - performance.now();
  if (leftMs <= 0 || isMuch(lane)) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  lane.sendNow = resolve;
  const timer = setTimeout(resolve, leftMs);
  await promise;
  clearTimeout(timer);
  lane.sendNow = undefined;
}

function isMuch({ waiting }: Lane): boolean {
  let left = gatheredBytes;
  return waiting.some(({ bytes }) => {
    left -= bytes;
    return left <= 0;
  });
}

function endOf({ offsets }: ProduceResult, partition: number): bigint {
  const found = offsets?.find((each) => each.partition === partition);
  if (found === undefined) throw new Error("the brokers did not say where the rows are");
  return found.offset;
}

/** Removes and returns the first entries of a list that fit into one request, at least one. */
function takeRequest<T>(waiting: T[], bytesOf: (each: T) => number): T[] {
  let bytes = 0;
  let count = 0;
  for (const each of waiting) {
    bytes += bytesOf(each);
    if (count > 0 && bytes > maxRequestBytes) break;
    count += 1;
  }
  return waiting.splice(0, count);
}

/** Splits the messages of one append into parts that each fit into a request. */
function partsOf(messages: Message[]): Message[][] {
  const parts: Message[][] = [];
  while (messages.length > 0) parts.push(takeRequest(messages, ({ value }) => value.length));
  return parts;
}

async function before<T>(deadlineMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const fail = () => reject(new Error("the brokers did not answer in time"));
    timer = setTimeout(fail, Math.max(0, deadlineMs - performance.now()));
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** How long a leader waits for the other copies. */
const produceTimeoutMs = 5_000;
/** Bytes that may wait for the brokers in memory; past that, events are answered 503. */
const maxPendingBytes = 67_108_864;
/** Bytes of one request to a partition; a single message may be larger (messages.ts). */
const maxRequestBytes = 2_097_152;
/**
 * Larger requests are compressed, since their rows have much in common: 100 page views take an eighth, for 2 µs of processor time
 * each.
 */
const compressedBytes = 2_048;
/** About 20 events. */
const gatheredBytes = 16_384;
const gatherMs = 10;
const retryMs = 100;
const downMs = 1_000;
const probeTimeoutMs = 1_000;
