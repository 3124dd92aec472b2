import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import { mapInSlices } from "../../concurrency/timeSlices.ts";
import type { LogRecord } from "../../durableLog/durableLog.ts";
import { StartFailure } from "../../errors/startFailure.ts";
import type { Metrics } from "../../observability/metrics.ts";
import type { DeadLetters } from "../../store/write/deadLetters.ts";
import { type LoggedRow, rowOf } from "../../store/write/loggedRow.ts";
import type { Refusal, RowCommitter } from "../../store/write/rowCommitter.ts";
import { reasonOf } from "../kafka/kafkaClient.ts";
import { isAtLeast, type Positions } from "../kafka/positions.ts";
import type { TopicBatch, TopicReader } from "../kafka/topicReader.ts";
import type { EventIds, ReceivedRow } from "./eventIds.ts";
import type { IdsPosition } from "./idsPosition.ts";
import type { LogPositions } from "./logPositions.ts";
import { decideStart, skipDeleted } from "./startPositions.ts";

export type ConsumerParts = {
  readonly reader: Pick<TopicReader, "bounds" | "read">;
  readonly ids: Pick<EventIds, "claim" | "clear" | "flush">;
  readonly idsPosition: Pick<IdsPosition, "read" | "write" | "clear">;
  readonly positions: Pick<LogPositions, "prepare" | "read" | "write" | "isOurs">;
  readonly committer: Pick<RowCommitter<LoggedRow>, "commit">;
  readonly deadLetters: Pick<DeadLetters, "add">;
  readonly metrics: Pick<Metrics, "consumedRows" | "consumerLagSeconds">;
  readonly log: Pick<Logger, "info" | "warn" | "error">;
  /** Whether the replica was being rebuilt when this process started. */
  readonly wasRebuilding: boolean;
  /** Whether to go on although the log has deleted rows that were not stored. */
  readonly acceptsLoss: boolean;
  /** A rebuilt replica is read once its lag is below this. */
  readonly maxLagMs: number;
};

/** QuestDB was replaced, and lacks rows that this consumer has stored. Start again from the position that QuestDB has. */
export class QuestdbReplacedError extends Error {
  override name = "QuestdbReplacedError";

  constructor() {
    super("QuestDB is another one than at the start, or has another consumer");
  }
}

/** QuestDB lacks rows that the log no longer has. The consumer stores nothing, since nothing would show the gap. */
export class RowsLostError extends StartFailure {
  override name = "RowsLostError";

  constructor(partitions: readonly number[]) {
    super(
      `Rows were deleted from the log before this replica stored them (partitions ${partitions.join(", ")}). Rebuild it from a snapshot ` +
        "(--rebuild-from, see docs/operate/scale.md), or start with --accept-loss, if no replica has them.",
    );
  }
}

/** A batch whose rows have the times that hold. */
type Ready = { readonly rows: readonly ReceivedRow<LoggedRow>[]; readonly batch: TopicBatch };

/**
 * Stores a shard's log in one QuestDB, in order: reads the rows of all partitions, gives repeated events the time of the first,
 * commits, then writes the position. Killed at any point, it reads rows again. QuestDB deduplicates, so it has each row once.
 */
export class RowConsumer {
  readonly #parts: ConsumerParts;
  #stored: Positions = new Map();
  /** For each batch that is read but not stored: when its oldest row was received, Unix ms; undefined for an empty one. */
  readonly #waiting: (number | undefined)[] = [];
  /** performance.now() of the last complete read of the log. */
  #readMs = performance.now();
  /** How long to wait after a read that failed. */
  #rereadMs = minPauseMs;
  /** performance.now() of the last complete read of rows to store, once these count as waiting; undefined before the first. */
  #lookedForRowsMs: number | undefined;
  #isRebuilding: boolean | undefined;
  /** performance.now() when the last read of rows to store began. */
  #startedMs = Number.NEGATIVE_INFINITY;
  #isFull = false;
  #committingSinceMs: number | undefined;
  /** performance.now() of the last commit. */
  #committedMs = Number.NEGATIVE_INFINITY;
  #notedMs = performance.now();
  #noted: Positions = new Map();

  /** performance.now() of the last check without rows that QuestDB is the same. */
  #lookedMs = performance.now();

  constructor(parts: ConsumerParts) {
    this.#parts = parts;
    if (parts.wasRebuilding) this.#isRebuilding = true;
  }

  /** Everything before these positions is committed. */
  get stored(): Positions {
    return this.#stored;
  }

  /** True while the replica is being rebuilt (empty or restored), false if it only lags. Undefined until that is known. */
  get isRebuilding(): boolean | undefined {
    return this.#isRebuilding;
  }

  /**
   * Age of the oldest row that is not stored, or the time since the log was last readable if that is longer. Undefined before the
   * first complete read of the log from the consumer's position: until then nothing is known of what it lacks.
   */
  get lagMs(): number | undefined {
    if (this.#lookedForRowsMs === undefined) return undefined;
    const unreadMs = performance.now() - this.#lookedForRowsMs;
    const nowMs = Date.now();
    const waitingMs = this.#waiting.reduce<number>(
      (longest, oldestMs = nowMs) => Math.max(longest, nowMs - oldestMs),
      0,
    );
    return Math.max(waitingMs, unreadMs < readEveryMs ? 0 : unreadMs);
  }

  /** Unix ms: when the commit under way began. Waiting rows do not block an erasure: each commit filters erased rows. */
  get committingSinceMs(): number | undefined {
    return this.#committingSinceMs;
  }

  /** Whether the log has not been completely readable for a while. */
  get isLogAway(): boolean {
    return performance.now() - this.#readMs > awayMs;
  }

  /**
   * Stores rows until `stop` aborts, and completes the batch at hand. Rejects with QuestdbReplacedError, with RowsLostError, and
   * when the log has a message that it cannot read.
   */
  async run(stop: AbortSignal): Promise<void> {
    const { positions, log } = this.#parts;
    const start = await this.#untilDone(stop, "the position in the log is not known yet", async () => {
      await positions.prepare();
      return await this.#begin();
    });
    if (start === undefined) return;
    this.#isRebuilding ||= start.isEmpty;
    this.#noteLost(start.lost);
    this.#stored = start.from;
    this.#noted = start.from;
    const target = start.end;
    if (start.idsFrom !== undefined) await this.#learnIds(start.idsFrom, start.from, stop);
    let next = this.#next(this.#stored, stop);
    while (!stop.aborted) {
      const ready = await next;
      if (ready === undefined) break;
      // Read ahead during the commit.
      next = this.#next(ready.batch.next, stop);
      // Awaited in the next round.
      next.catch(() => undefined);
      if (!(await this.#store(ready, stop))) break;
      if (this.#isRebuilding && isAtLeast(this.#stored, target) && this.#lagsLess()) {
        this.#isRebuilding = false;
        log.info("all rows that the log had at the start are stored");
      }
    }
    await next.catch(() => undefined);
    await this.#note().catch((error: unknown) =>
      log.warn({ reason: reasonOf(error) }, "the position could not be stored; a start stores the last rows again"),
    );
  }

  #lagsLess(): boolean {
    const { lagMs } = this;
    return lagMs !== undefined && lagMs < this.#parts.maxLagMs;
  }

  async #begin() {
    const { reader, positions, ids, idsPosition, log } = this.#parts;
    const [stored, known, bounds] = await Promise.all([positions.read(), idsPosition.read(), reader.bounds()]);
    const start = decideStart({ stored, known, ...bounds });
    if (start.forgetsIds) {
      await idsPosition.clear();
      await ids.clear();
    }
    if (stored.size === 0) log.info("QuestDB has nothing of the log: it is stored from its first row on");
    return { ...start, isEmpty: stored.size === 0, end: bounds.end };
  }

  /** Reads the log only for its ids. Those of messages that the brokers have deleted meanwhile are not learned. */
  async #learnIds(from: Positions, until: Positions, stop: AbortSignal): Promise<void> {
    const { log, ids } = this.#parts;
    log.info("the ids of repeated events are read from the log");
    for (let at = from; !stop.aborted && !isAtLeast(at, until); ) {
      const batch = await this.#read(at, stop);
      // Rows that are read again to be stored get the same claims.
      await ids.claim(await receivedRows(batch));
      const { next, deleted } = await this.#skipDeleted(batch);
      if (deleted.length > 0)
        log.warn(
          { partitions: deleted },
          "ids were deleted from the log: an event sent again may be stored twice here",
        );
      at = next;
    }
  }

  /** The next rows with their times, undefined after `stop`. */
  async #next(from: Positions, stop: AbortSignal): Promise<Ready | undefined> {
    // QuestDB's work depends more on the number of commits than on the number of rows.
    const sinceMs = performance.now() - this.#startedMs;
    if (!this.#isFull && sinceMs < gatherMs)
      await pause(gatherMs - sinceMs, undefined, { signal: stop }).catch(() => undefined);
    this.#startedMs = performance.now();
    const read = await this.#read(from, stop);
    const readMs = performance.now();
    const batch = await this.#withoutLost(read);
    const received = await receivedRows(batch);
    this.#isFull = received.length >= fullRows;
    this.#waiting.push(
      received.reduce<number | undefined>(
        // Rows from another shard have waited there, not here.
        (oldest, { row, receivedMs }) =>
          row.moved === undefined ? Math.min(oldest ?? receivedMs, receivedMs) : oldest,
        undefined,
      ),
    );
    if (batch.failure === undefined) this.#lookedForRowsMs = readMs;
    const rows = await this.#untilDone(stop, "the ids of events could not be read or stored", () =>
      this.#parts.ids.claim(received),
    );
    return rows && { rows, batch };
  }

  /** A batch that goes on after what the brokers have deleted. Rejects with RowsLostError unless losses are accepted. */
  async #withoutLost(batch: TopicBatch): Promise<TopicBatch> {
    const { next, deleted } = await this.#skipDeleted(batch);
    this.#noteLost(deleted);
    return { ...batch, next };
  }

  #noteLost(partitions: readonly number[]): void {
    if (partitions.length === 0) return;
    this.#parts.log.error({ partitions }, "rows were deleted from the log before this replica stored them");
    this.#isRebuilding = true;
    if (!this.#parts.acceptsLoss) throw new RowsLostError(partitions);
  }

  async #skipDeleted({ next, failure }: TopicBatch) {
    // Messages may be deleted while they are read, by their age or with the disk of a broker.
    const bounds = failure === undefined ? undefined : await this.#parts.reader.bounds().catch(() => undefined);
    return skipDeleted(next, bounds?.first ?? new Map());
  }

  /** Reads once. The batch is empty if the log cannot be read; the next read then waits longer. */
  async #read(from: Positions, stop: AbortSignal): Promise<TopicBatch> {
    const { reader, log } = this.#parts;
    const batch = await reader.read(from, waitMs).catch((failure: unknown) => ({ messages: [], next: from, failure }));
    if (batch.failure === undefined) {
      this.#readMs = performance.now();
      this.#rereadMs = minPauseMs;
      return batch;
    }
    log.warn({ reason: reasonOf(batch.failure) }, "the log or a part of it cannot be read, trying again");
    if (batch.messages.length > 0) return batch;
    // A broker that refuses a partition answers at once.
    await pause(this.#rereadMs, undefined, { signal: stop }).catch(() => undefined);
    this.#rereadMs = Math.min(2 * this.#rereadMs, maxPauseMs);
    return batch;
  }

  /** Commits until QuestDB has taken the rows; false after `stop`. */
  async #store({ rows, batch }: Ready, stop: AbortSignal): Promise<boolean> {
    const { committer, deadLetters, metrics, positions } = this.#parts;
    const toStore = rows.filter(({ row }) => row.moved !== "id");
    if (toStore.length > 0) {
      const result = await this.#untilDone(stop, "rows could not be stored", async () => {
        const given = toStore.map(({ row }) => row);
        const receivedMs = toStore.map((each) => each.receivedMs);
        // No QuestDB restarts within this time.
        const mayBeAnother = performance.now() - this.#committedMs > sameForMs;
        if (mayBeAnother && !(await positions.isOurs())) throw new QuestdbReplacedError();
        this.#committingSinceMs = Date.now();
        try {
          const committed = await committer.commit(given, receivedMs);
          if (committed.outcome === "unavailable") return undefined;
          this.#committedMs = performance.now();
          await deadLetters.add(committed.refused.map(deadLetterOf));
          return committed;
        } finally {
          this.#committingSinceMs = undefined;
        }
      });
      if (result === undefined) return false;
      metrics.consumedRows.inc(toStore.length);
    } else await this.#look();
    this.#stored = batch.next;
    this.#waiting.shift();
    const { lagMs } = this;
    if (lagMs !== undefined) metrics.consumerLagSeconds.set(lagMs / 1_000);
    if (performance.now() - this.#notedMs > noteEveryMs)
      await this.#note().catch((error: unknown) =>
        this.#parts.log.warn({ reason: reasonOf(error) }, "the position could not be stored, trying again"),
      );
    return true;
  }

  /** Detects a replaced QuestDB even when no rows arrive. */
  async #look(): Promise<void> {
    if (performance.now() - this.#lookedMs < noteEveryMs) return;
    this.#lookedMs = performance.now();
    const isOurs = await this.#parts.positions.isOurs().catch(() => true);
    if (!isOurs) throw new QuestdbReplacedError();
  }

  async #note(): Promise<void> {
    const { positions, ids, idsPosition } = this.#parts;
    this.#notedMs = performance.now();
    const stored = this.#stored;
    if (stored.size === 0 || isAtLeast(this.#noted, stored)) return;
    await ids.flush();
    await idsPosition.write(stored);
    await positions.write(stored);
    this.#noted = stored;
  }

  /** Repeats `work` until it resolves to something; undefined after `stop`. Rejects with QuestdbReplacedError. */
  async #untilDone<T>(stop: AbortSignal, problem: string, work: () => Promise<T | undefined>): Promise<T | undefined> {
    for (let pauseMs = minPauseMs; ; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
      try {
        const result = await work();
        if (result !== undefined) return result;
      } catch (error) {
        if (error instanceof QuestdbReplacedError) throw error;
        this.#parts.log.warn({ reason: reasonOf(error) }, `${problem}, trying again`);
      }
      if (stop.aborted) return undefined;
      await pause(pauseMs, undefined, { signal: stop }).catch(() => undefined);
      if (stop.aborted) return undefined;
    }
  }
}

async function receivedRows({ messages }: TopicBatch): Promise<ReceivedRow<LoggedRow>[]> {
  const records: LogRecord[] = [];
  for (const message of messages) for (const record of message.records) records.push(record);
  return await mapInSlices(records, (record) => ({ row: rowOf(record), receivedMs: record.receivedMs }));
}

/** A refused row in readable form. */
function deadLetterOf({ row: { fields, ...row }, reason }: Refusal<LoggedRow>) {
  return { row: { ...row, fields: fields.toString() }, reason };
}

/** How long a read of an idle log waits for rows. */
const waitMs = 250;
/** Time between two commits, unless more rows wait than one commit takes. */
const gatherMs = 500;
const fullRows = 5_000;
/** An idle log is read at least this often. */
const readEveryMs = 2_000;
const awayMs = 5_000;
const noteEveryMs = 2_000;
const sameForMs = 600;
const minPauseMs = 50;
const maxPauseMs = 1_000;
