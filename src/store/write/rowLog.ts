import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import { mapInSlices } from "../../concurrency/timeSlices.ts";
import type { Config } from "../../config.ts";
import type { LogPosition } from "../../durableLog/durableLog.ts";
import type { FileLog } from "../../durableLog/fileLog.ts";
import { StoreFailure } from "../../errors/storeFailure.ts";
import type { Metrics } from "../../observability/metrics.ts";
import { inSpan } from "../../observability/traces.ts";
import type { TableRow } from "../questdb/tables.ts";
import type { AcceptedRows } from "./acceptedRows.ts";
import type { DeadLetters } from "./deadLetters.ts";
import { encodeLoggedRows, type LoggedRow, loggedRow, recordOf, rowOf } from "./loggedRow.ts";
import { type CommitPath, type Refusal, RowCommitter } from "./rowCommitter.ts";

type Settings = Pick<Config["questdb"], "http" | "flushRows" | "commitTimeoutMs">;

export type RowLogOptions = CommitPath & {
  readonly files: FileLog;
  readonly deadLetters: Pick<DeadLetters, "add">;
  /** The minimum time between the starts of two commits, unless more than a group waits; four commits a second by default. */
  readonly gatherMs?: number;
};

/** Rows that are stored together. */
type Group = {
  /** The rows after the steps, undefined when a step failed. */
  readonly ready: readonly LoggedRow[] | undefined;
  /** When each row was received, Unix ms. */
  readonly receivedMs: readonly number[];
  /** How many of the rows, at the end, are not from the log. */
  readonly unlogged: number;
  /** The log position after them. */
  readonly next: LogPosition;
  /** Whether the log may hold more. */
  readonly isFull: boolean;
};

/**
 * The path of every accepted row: it is appended to a durable log, which is all that its sender waits for, and a single
 * consumer stores the log in QuestDB in order. With little load a row is committed at once; else four times a second,
 * since QuestDB's cost depends on the number of commits more than on rows.
 */
export class RowLog implements AcceptedRows {
  readonly #files: FileLog;
  readonly #deadLetters: Pick<DeadLetters, "add">;
  readonly #log: Pick<Logger, "warn" | "info" | "error">;
  readonly #committer: RowCommitter<LoggedRow>;
  readonly #flushRows: number;
  readonly #gatherMs: number;
  /** Rows that the log did not take, with the time at which each was received. */
  readonly #unlogged: { readonly row: LoggedRow; readonly receivedMs: number }[] = [];
  /** Appends that are not in the log's hands yet. */
  readonly #appends = new Set<Promise<void>>();
  #running: Promise<void> | undefined;
  #commitStartedMs = Number.NEGATIVE_INFINITY;
  /** The group after the one that is being stored. */
  #prefetched: Promise<Group> | undefined;
  readonly #closing = new AbortController();
  #closedMs = 0;
  #isClosed = false;

  constructor(
    settings: Settings,
    metrics: Pick<Metrics, "commitSeconds" | "commitFailures">,
    log: Pick<Logger, "warn" | "info" | "error">,
    options: RowLogOptions,
  ) {
    this.#files = options.files;
    this.#deadLetters = options.deadLetters;
    this.#log = log;
    this.#flushRows = settings.flushRows;
    this.#gatherMs = options.gatherMs ?? standardGatherMs;
    this.#committer = new RowCommitter(settings, metrics, log, options, encodeLoggedRows);
    this.#start();
  }

  async write(rows: readonly TableRow[], receivedMs = Date.now()): Promise<void> {
    if (rows.length === 0) return;
    if (this.#closing.signal.aborted) throw new StoreFailure({ kind: "stopping" });
    const [first] = rows;
    // A click or a single event: the most common case, which a promise more would slow down.
    const append = () =>
      rows.length === 1 && first !== undefined
        ? this.#files.append([recordOf(first, receivedMs)])
        : this.#appendMany(rows, receivedMs);
    await inSpan("log append", { kind: "internal" }, append);
    this.#start();
  }

  /** In slices, because the rows of a body of 1 MiB take 30 ms. */
  async #appendMany(rows: readonly TableRow[], receivedMs: number): Promise<void> {
    const records = mapInSlices(rows, (row) => recordOf(row, receivedMs));
    const appended = records.then((made) => this.#files.append(made));
    this.#appends.add(appended);
    try {
      await appended;
    } finally {
      this.#appends.delete(appended);
    }
  }

  /**
   * Stores rows that the log did not take, from memory, unless this process ends before QuestDB takes them. False when
   * too many wait already.
   */
  tryUnlogged(rows: readonly TableRow[], receivedMs = Date.now()): boolean {
    if (this.#closing.signal.aborted || this.#unlogged.length + rows.length > maxUnlogged) return false;
    for (const row of rows) this.#unlogged.push({ row: loggedRow(row, receivedMs), receivedMs });
    this.#start();
    return true;
  }

  get oldestMs(): number | undefined {
    const { oldestMs } = this.#files;
    const unlogged = this.#unlogged[0]?.receivedMs;
    return oldestMs === undefined ? unlogged : Math.min(oldestMs, unlogged ?? oldestMs);
  }

  /** Stops accepting rows and stores what waits, unless QuestDB is unavailable. The rest is left for the next process. */
  async close(): Promise<void> {
    this.#closedMs = performance.now();
    this.#closing.abort();
    await Promise.allSettled(this.#appends);
    this.#start();
    await this.#running;
    // The files are not touched from here on: the next process may own them.
    this.#isClosed = true;
    await this.#files.close();
  }

  #start(): void {
    if (this.#hasWork && !this.#isClosed) this.#running ??= this.#run();
  }

  get #hasWork(): boolean {
    return !this.#files.isEmpty || this.#unlogged.length > 0;
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    let failures = 0;
    while (this.#hasWork) {
      const done = await this.#storeNext();
      if (done && failures > 0) this.#log.info({ failures }, "QuestDB commits rows again");
      failures = done ? 0 : failures + 1;
      if (signal.aborted && (!done || performance.now() - this.#closedMs > maxClosingMs)) break;
      if (!done) await this.#pause(Math.min(minPauseMs * 2 ** (failures - 1), maxPauseMs));
    }
    await this.#discardPrefetched();
    this.#running = undefined;
    // Rows may have been appended after the last check.
    if (!signal.aborted) this.#start();
  }

  /** Stores the next rows; false when they are to be retried after a pause. */
  async #storeNext(): Promise<boolean> {
    try {
      const group = await this.#nextGroup();
      if (group.isFull) this.#prefetched = this.#prepare(group.next, false);
      // Awaited in the next round, or never.
      this.#prefetched?.catch(() => undefined);
      if (group.ready === undefined || group.ready.length > 0) {
        const result = await this.#committer.store(group.ready, group.receivedMs);
        if (result.outcome === "unavailable") {
          await this.#discardPrefetched();
          return false;
        }
        await this.#deadLetters.add(result.refused.map(deadLetterOf));
      }
      this.#unlogged.splice(0, group.unlogged);
      await this.#files.commit(group.next);
      return true;
    } catch (error) {
      this.#log.error({ err: error }, "the log could not be read or a dead letter not be written, trying again");
      await this.#discardPrefetched();
      return false;
    }
  }

  async #nextGroup(): Promise<Group> {
    const prefetched = this.#prefetched;
    this.#prefetched = undefined;
    if (prefetched !== undefined) return prefetched;
    const sinceMs = performance.now() - this.#commitStartedMs;
    if (sinceMs < this.#gatherMs) await this.#pause(this.#gatherMs - sinceMs);
    this.#commitStartedMs = performance.now();
    return this.#prepare(this.#files.committed, true);
  }

  /**
   * Reads a group and runs the steps on it. A group prepared while another is being stored takes nothing from memory.
   */
  async #prepare(from: LogPosition, withUnlogged: boolean): Promise<Group> {
    const { records, next } = await this.#files.read(from, this.#flushRows);
    const unlogged = withUnlogged ? this.#unlogged.slice(0, this.#flushRows) : [];
    const rows = [...(await mapInSlices(records, rowOf)), ...unlogged.map(({ row }) => row)];
    return {
      ready: rows.length === 0 ? rows : await this.#committer.prepare(rows),
      receivedMs: [...records, ...unlogged].map(({ receivedMs }) => receivedMs),
      unlogged: unlogged.length,
      next,
      isFull: records.length >= this.#flushRows,
    };
  }

  /** Discards a prepared group; after a failure it is prepared again. */
  async #discardPrefetched(): Promise<void> {
    const prefetched = this.#prefetched;
    this.#prefetched = undefined;
    await prefetched?.catch(() => undefined);
  }

  async #pause(timeMs: number): Promise<void> {
    await pause(timeMs, undefined, { signal: this.#closing.signal }).catch(() => undefined);
  }
}

/** A refused row in readable form. */
function deadLetterOf({ row: { fields, ...row }, reason }: Refusal<LoggedRow>) {
  return { row: { ...row, fields: fields.toString() }, reason };
}

const standardGatherMs = 250;

/**
 * Retries start quickly, since a broken connection heals at once, and back off up to the maximum, to spare a QuestDB
 * that is unavailable.
 */
const minPauseMs = 20;
const maxPauseMs = 1_000;

/** How long a stop keeps storing what waits. */
const maxClosingMs = 5_000;

/** The most rows in memory that the log did not take. */
const maxUnlogged = 5_000;
