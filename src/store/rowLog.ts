import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import type { Config } from "../config.ts";
import type { DurableLog, LogPosition, LogRecord } from "../durableLog/durableLog.ts";
import type { Metrics } from "../metrics.ts";
import type { DeadLetters } from "./deadLetters.ts";
import { type CommitPath, RowCommitter } from "./rowCommitter.ts";
import { storeUnavailable } from "./storeUnavailable.ts";
import type { TableRow } from "./tables.ts";

type Settings = Pick<Config["questdb"], "http" | "flushRows" | "commitTimeoutMs">;

export type RowLogOptions = CommitPath & {
  readonly files: DurableLog;
  readonly deadLetters: Pick<DeadLetters, "add">;
};

/** Rows that are stored together. */
type Group = {
  readonly rows: readonly TableRow[];
  /** When each of them was received, Unix ms. */
  readonly receivedMs: readonly number[];
  /** How many of them, the last ones, are not from the log. */
  readonly unlogged: number;
  /** Where the log goes on after them, undefined when nothing of it was read. */
  readonly next: LogPosition | undefined;
};

/**
 * The way of every accepted row: it is appended to a durable log, which is all that its sender waits for, and one consumer stores the
 * log in QuestDB in order. While little comes in a row is committed at once; else four times a second, since what QuestDB spends
 * depends on commits more than on rows.
 */
export class RowLog {
  readonly #files: DurableLog;
  readonly #deadLetters: Pick<DeadLetters, "add">;
  readonly #log: Pick<Logger, "warn" | "info" | "error">;
  readonly #committer: RowCommitter;
  readonly #flushRows: number;
  /** Rows that the log did not take, with the time at which each was received. */
  readonly #unlogged: { readonly row: TableRow; readonly receivedMs: number }[] = [];
  #running: Promise<void> | undefined;
  #commitStartedMs = Number.NEGATIVE_INFINITY;
  readonly #closing = new AbortController();
  #closedMs = 0;

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
    this.#committer = new RowCommitter(settings, metrics, log, options);
    this.#start();
  }

  /**
   * Resolves when the rows, received at `receivedMs` (Unix ms), are in the log: they will be stored. Rejects with SERVICE_UNAVAILABLE
   * when the log does not take them, and after close; they are then not stored.
   */
  async write(rows: readonly TableRow[], receivedMs = Date.now()): Promise<void> {
    if (rows.length === 0) return;
    if (this.#closing.signal.aborted) throw storeUnavailable("The service is stopping");
    await this.#files.append(rows.map((row) => recordOf(row, receivedMs)));
    this.#start();
  }

  /** Stores rows that the log did not take, if QuestDB takes them before this process ends. False when too many wait already. */
  tryUnlogged(rows: readonly TableRow[], receivedMs = Date.now()): boolean {
    if (this.#closing.signal.aborted || this.#unlogged.length + rows.length > mostUnlogged) return false;
    for (const row of rows) this.#unlogged.push({ row, receivedMs });
    this.#start();
    return true;
  }

  /** Unix ms: no row that waits was received before. Undefined when none waits. */
  get oldestMs(): number | undefined {
    const { oldestMs } = this.#files;
    const unlogged = this.#unlogged[0]?.receivedMs;
    return oldestMs === undefined ? unlogged : Math.min(oldestMs, unlogged ?? oldestMs);
  }

  /** Takes no more rows, and stores what waits unless QuestDB is away. What is left is for the next process. */
  async close(): Promise<void> {
    this.#closedMs = performance.now();
    this.#closing.abort();
    await this.#running;
    await this.#files.close();
  }

  #start(): void {
    if (this.#hasWork) this.#running ??= this.#run();
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
      if (signal.aborted && (!done || performance.now() - this.#closedMs > mostClosingMs)) break;
      if (!done) await this.#pause(Math.min(leastPauseMs * 2 ** (failures - 1), mostPauseMs));
    }
    this.#running = undefined;
    // The log may have taken rows after the last look.
    if (!signal.aborted) this.#start();
  }

  /** Stores the next rows; false when they are to be tried again after a pause. */
  async #storeNext(): Promise<boolean> {
    const sinceMs = performance.now() - this.#commitStartedMs;
    if (sinceMs < gatherMs) await this.#pause(gatherMs - sinceMs);
    this.#commitStartedMs = performance.now();
    try {
      const group = await this.#readGroup();
      if (group.rows.length > 0) {
        const result = await this.#committer.commit(group.rows, group.receivedMs);
        if (result.outcome === "unavailable") return false;
        await this.#deadLetters.add(result.refused);
      }
      this.#unlogged.splice(0, group.unlogged);
      if (group.next !== undefined) await this.#files.commit(group.next);
      // A full group says that more waits.
      if (group.rows.length >= this.#flushRows) this.#commitStartedMs = Number.NEGATIVE_INFINITY;
      return true;
    } catch (error) {
      this.#log.error({ err: error }, "the log could not be read or a row put aside, trying again");
      return false;
    }
  }

  async #readGroup(): Promise<Group> {
    const { committed } = this.#files;
    const { records, next } = await this.#files.read(committed, this.#flushRows);
    const unlogged = this.#unlogged.slice(0, this.#flushRows);
    return {
      rows: [...records.map(rowOf), ...unlogged.map(({ row }) => row)],
      receivedMs: [...records, ...unlogged].map(({ receivedMs }) => receivedMs),
      next: next.file === committed.file && next.offset === committed.offset ? undefined : next,
      unlogged: unlogged.length,
    };
  }

  async #pause(timeMs: number): Promise<void> {
    await pause(timeMs, undefined, { signal: this.#closing.signal }).catch(() => undefined);
  }
}

function recordOf(row: TableRow, receivedMs: number): LogRecord {
  return {
    receivedMs,
    websiteId: row.values.website_id ?? "",
    key: "event_key" in row.values ? row.values.event_key : 0,
    payload: Buffer.from(JSON.stringify(row)),
  };
}

/** The checksum says that it is what `recordOf` wrote. */
function rowOf({ payload }: LogRecord): TableRow {
  return JSON.parse(payload.toString());
}

/** From the start of one commit to the next while not more than a group waits. */
const gatherMs = 250;

/** Short, since a broken connection heals at once; doubled up to the most, since a QuestDB that is away is not to be flooded. */
const leastPauseMs = 20;
const mostPauseMs = 1_000;

/** How long a stop goes on storing what waits. */
const mostClosingMs = 5_000;

/** Rows in memory that the log did not take. */
const mostUnlogged = 5_000;
