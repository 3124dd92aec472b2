import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import type { Config } from "../config.ts";
import type { Metrics } from "../metrics.ts";
import { type CommitPath, RowCommitter } from "./rowCommitter.ts";
import { DeadLetters } from "./spool/deadLetters.ts";
import type { Spool } from "./spool/spool.ts";
import { storeUnavailable } from "./storeUnavailable.ts";
import type { TableRow } from "./tables.ts";

type Settings = Pick<Config["questdb"], "http" | "flushRows" | "maxPendingRows" | "commitTimeoutMs">;

type WriterMetrics = Pick<Metrics, "pendingRows" | "commitSeconds" | "commitFailures" | "deadLetters">;

export type WriterOptions = CommitPath & {
  /** Where rows go whose commit takes longer than `afterMs`. */
  readonly spool?: { readonly files: Spool; readonly afterMs: number } | undefined;
  /** How long a commit waits for rows to share it with: 0 unless nobody waits for the answer. Less than the spool's `afterMs`. */
  readonly gatherMs?: number | undefined;
};

/** QuestDB refused some rows of a write for what is in them; the other rows of the write are committed. */
export class RowsRefusedError extends Error {
  override name = "RowsRefusedError";
  readonly refused: ReadonlySet<TableRow>;

  constructor(refused: ReadonlySet<TableRow>) {
    super(`QuestDB refused ${refused.size} rows; their tables or columns differ from src/store/tables.ts`);
    this.refused = refused;
  }
}

/** One call of `write` that waits for its rows. */
type Write = {
  readonly rows: readonly TableRow[];
  /** Unix ms. */
  readonly receivedMs: number;
  readonly deadlineMs: number;
  readonly settle: (error?: Error) => void;
  settled: boolean;
};

/**
 * The only way rows go to QuestDB. Concurrent writes share a commit: one is on its way at a time, what comes in the meantime makes the
 * next, and a write that finds the writer idle starts at once.
 *
 * With a spool, rows whose commit takes too long go there and are thereby kept. As long as it holds any, it is emptied in order and
 * new rows go behind. Their writes then resolve only after `afterMs`: the rows are kept before, but senders that wait for an answer slow
 * down and the spool empties.
 */
export class RowWriter {
  readonly #settings: Settings;
  readonly #metrics: WriterMetrics;
  readonly #log: Pick<Logger, "warn" | "info" | "error">;
  readonly #committer: RowCommitter;
  readonly #spool: Spool | undefined;
  readonly #deadLetters: DeadLetters | undefined;
  /** How long a write waits in memory. */
  readonly #waitMs: number;
  readonly #gatherMs: number;
  /** Oldest first. The commit that is on its way is not in it. */
  #queue: Write[] = [];
  /** All that wait in memory, oldest first. */
  readonly #writes = new Set<Write>();
  #pendingRows = 0;
  #running: Promise<void> | undefined;
  #expiry: NodeJS.Timeout | undefined;
  readonly #closing = new AbortController();

  constructor(
    settings: Settings,
    metrics: WriterMetrics,
    log: Pick<Logger, "warn" | "info" | "error">,
    options: WriterOptions = {},
  ) {
    this.#settings = settings;
    this.#metrics = metrics;
    this.#log = log;
    this.#committer = new RowCommitter(settings, metrics, log, options);
    this.#spool = options.spool?.files;
    this.#waitMs = options.spool?.afterMs ?? settings.commitTimeoutMs;
    this.#gatherMs = options.gatherMs ?? 0;
    if (this.#spool !== undefined) this.#deadLetters = new DeadLetters(this.#spool.deadLettersPath, metrics, log);
    this.#start();
  }

  /**
   * Resolves when the rows, received at `receivedMs` (Unix ms), are kept: committed by QuestDB or written to the spool.
   *
   * Rejects with SERVICE_UNAVAILABLE after close and when the spool cannot take them; without a spool when more than `maxPendingRows`
   * would wait or the commit took longer than `commitTimeoutMs`. The rows may then be stored or not, since a commit may be on its way;
   * writing them again is safe where they have ids. Rejects with RowsRefusedError when QuestDB takes all but some rows.
   */
  async write(rows: readonly TableRow[], receivedMs = Date.now()): Promise<void> {
    if (rows.length === 0) return;
    if (this.#closing.signal.aborted) throw storeUnavailable("The service is stopping");
    if (this.#pendingRows > 0 && this.#pendingRows + rows.length > this.#settings.maxPendingRows) this.#giveUpWaiting();
    if (this.#spool !== undefined && !this.#spool.isEmpty) return this.#writeBehind(this.#spool, rows, receivedMs);
    if (this.#pendingRows > 0 && this.#pendingRows + rows.length > this.#settings.maxPendingRows)
      throw storeUnavailable("Too many events wait for the event store");
    return this.#writeDirectly(rows, receivedMs);
  }

  /** Unix ms: no row that waits in memory or in the spool was received before. Undefined when none waits. */
  get oldestMs(): number | undefined {
    let oldestMs = this.#spool?.oldestMs;
    for (const { receivedMs } of this.#writes) oldestMs = Math.min(receivedMs, oldestMs ?? receivedMs);
    return oldestMs;
  }

  /** Takes no more rows and resolves when every write before has its answer. What the spool holds stays there for the next process. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
    clearTimeout(this.#expiry);
    await this.#spool?.close();
  }

  async #writeBehind(spool: Spool, rows: readonly TableRow[], receivedMs: number): Promise<void> {
    const kept = spool.append(rows, receivedMs);
    this.#start();
    await kept;
    await pause(this.#waitMs);
  }

  #writeDirectly(rows: readonly TableRow[], receivedMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const write: Write = {
        rows,
        receivedMs,
        deadlineMs: performance.now() + this.#waitMs,
        settle: (error) => (error === undefined ? resolve() : reject(error)),
        settled: false,
      };
      this.#writes.add(write);
      this.#queue.push(write);
      this.#addPending(rows.length);
      this.#expiry ??= setTimeout(() => this.#expire(), this.#waitMs);
      this.#start();
    });
  }

  #start(): void {
    if (this.#queue.length > 0 || this.#spool?.isEmpty === false) this.#running ??= this.#run();
  }

  async #run(): Promise<void> {
    // The caller's other writes of this turn share the commit.
    await Promise.resolve();
    let failures = 0;
    while (this.#hasWork()) {
      const done = await this.#runOnce();
      if (done && failures > 0) this.#log.info({ failures }, "QuestDB commits rows again");
      failures = done ? 0 : failures + 1;
      if (!done) {
        const pauseMs = Math.min(leastPauseMs * 2 ** (failures - 1), mostPauseMs);
        // A stop waits for writes, which have their own limit, but not for a spool that does not empty.
        const signal = this.#queue.length > 0 ? undefined : this.#closing.signal;
        await pause(pauseMs, undefined, { signal }).catch(() => undefined);
      }
    }
    this.#running = undefined;
    // The spool may have taken rows after the last look.
    if (!this.#closing.signal.aborted) this.#start();
  }

  #hasWork(): boolean {
    if (this.#queue.length > 0) return true;
    return this.#spool?.isEmpty === false && !this.#closing.signal.aborted;
  }

  /** Commits the next rows; false when they are to be tried again after a pause. */
  async #runOnce(): Promise<boolean> {
    const { signal } = this.#closing;
    try {
      if (this.#spool?.isEmpty === false) return await this.#drain(this.#spool);
      if (this.#gatherMs > 0) await pause(this.#gatherMs, undefined, { signal }).catch(() => undefined);
      return await this.#commitWaiting();
    } catch (error) {
      this.#log.error({ err: error }, "the spool could not be read or a row put aside, trying again");
      return false;
    }
  }

  async #drain(spool: Spool): Promise<boolean> {
    const head = await spool.head(this.#settings.flushRows);
    if (head === undefined) return true;
    const result = await this.#committer.commit(head.rows, head.receivedMs);
    if (result.outcome === "unavailable") return false;
    await this.#deadLetters?.add(result.refused);
    await spool.remove(head);
    return true;
  }

  async #commitWaiting(): Promise<boolean> {
    const group = this.#takeGroup();
    if (group.length === 0) return true;
    const result = await this.#committer.commit(
      group.flatMap((write) => write.rows),
      group.flatMap((write) => write.rows.map(() => write.receivedMs)),
    );
    if (result.outcome === "unavailable") {
      this.#queue = [...group.filter((write) => this.#writes.has(write)), ...this.#queue];
      return false;
    }
    const refused = new Set(result.refused.map(({ row }) => row));
    for (const write of group) {
      const ofWrite = refused.size === 0 ? [] : write.rows.filter((row) => refused.has(row));
      this.#settle(write, ofWrite.length === 0 ? undefined : new RowsRefusedError(new Set(ofWrite)));
    }
    return true;
  }

  /** Whole writes of about `flushRows` rows together. */
  #takeGroup(): Write[] {
    let rows = 0;
    let count = 0;
    for (const write of this.#queue) {
      rows += write.rows.length;
      if (count > 0 && rows > this.#settings.flushRows) break;
      count += 1;
    }
    return this.#queue.splice(0, count);
  }

  #expire(): void {
    this.#expiry = undefined;
    const oldest = this.#writes.values().next().value;
    if (oldest === undefined) return;
    const leftMs = oldest.deadlineMs - performance.now();
    if (leftMs > 0) this.#expiry = setTimeout(() => this.#expire(), Math.ceil(leftMs));
    else this.#giveUpWaiting();
  }

  /** With a spool all rows in memory go there, to keep their order; without one the writes whose time is up are answered. */
  #giveUpWaiting(): void {
    const nowMs = performance.now();
    for (const write of this.#writes) {
      if (this.#spool !== undefined) {
        this.#writes.delete(write);
        this.#spool.append(write.rows, write.receivedMs).then(
          () => this.#settle(write, undefined),
          (error: Error) => this.#settle(write, error),
        );
      } else if (write.deadlineMs <= nowMs) {
        this.#settle(write, storeUnavailable("The event store does not answer"));
      }
    }
    this.#queue = this.#queue.filter((write) => this.#writes.has(write));
    const oldest = this.#writes.values().next().value;
    clearTimeout(this.#expiry);
    this.#expiry =
      oldest === undefined
        ? undefined
        : setTimeout(() => this.#expire(), Math.max(1, Math.ceil(oldest.deadlineMs - nowMs)));
    this.#start();
  }

  #settle(write: Write, error: Error | undefined): void {
    if (write.settled) return;
    write.settled = true;
    this.#writes.delete(write);
    this.#addPending(-write.rows.length);
    write.settle(error);
  }

  #addPending(rows: number): void {
    this.#pendingRows += rows;
    this.#metrics.pendingRows.set(this.#pendingRows);
  }
}

/** Short, since a broken connection heals at once; doubled up to the most, since a QuestDB that is away is not to be flooded. */
const leastPauseMs = 20;
const mostPauseMs = 1_000;
