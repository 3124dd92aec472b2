import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import type { Config } from "../config.ts";
import { ApiError } from "../errors.ts";
import type { Metrics } from "../metrics.ts";
import { RowEncoder } from "./rowEncoder.ts";
import { RowSender, type SendResult } from "./rowSender.ts";
import type { TableRow } from "./tables.ts";

type Settings = Pick<Config["questdb"], "http" | "flushRows" | "maxPendingRows" | "commitTimeoutMs">;

type WriterMetrics = Pick<Metrics, "pendingRows" | "commitSeconds" | "commitFailures">;

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
  readonly deadlineMs: number;
  readonly refused: Set<TableRow>;
  readonly settle: (error?: Error) => void;
  rowsLeft: number;
  settled: boolean;
};

type PendingRow = { readonly row: TableRow; readonly write: Write };

/**
 * The only way rows go to QuestDB. Rows of concurrent writes share a flush: one flush is on its way at a time, what comes in the
 * meantime makes the next, and a write that finds the writer idle starts at once.
 */
export class RowWriter {
  readonly #settings: Settings;
  readonly #metrics: WriterMetrics;
  readonly #log: Pick<Logger, "warn" | "info" | "error">;
  readonly #encoder = new RowEncoder();
  readonly #sender: RowSender;
  /** Oldest first, so ordered by deadline. */
  #queue: PendingRow[] = [];
  #inFlightRows = 0;
  #running: Promise<void> | undefined;
  #expiry: NodeJS.Timeout | undefined;
  readonly #writes = new Set<Write>();
  #closed = false;

  constructor(settings: Settings, metrics: WriterMetrics, log: Pick<Logger, "warn" | "info" | "error">) {
    this.#settings = settings;
    this.#metrics = metrics;
    this.#log = log;
    this.#sender = new RowSender(settings);
  }

  /**
   * Resolves when QuestDB has committed all rows.
   *
   * Rejects with SERVICE_UNAVAILABLE when it would make more than `maxPendingRows` wait, after close, and when the commit took longer than
   * `commitTimeoutMs`: the rows may then be stored or not, and writing them again is safe. Rejects with RowsRefusedError when
   * QuestDB takes all but some rows.
   */
  write(rows: readonly TableRow[]): Promise<void> {
    if (rows.length === 0) return Promise.resolve();
    if (this.#closed) return Promise.reject(unavailable("The service is stopping"));
    if (this.#pendingRows > 0 && this.#pendingRows + rows.length > this.#settings.maxPendingRows)
      return Promise.reject(unavailable("Too many events wait for the event store"));
    return new Promise((resolve, reject) => {
      const write: Write = {
        deadlineMs: performance.now() + this.#settings.commitTimeoutMs,
        refused: new Set(),
        settle: (error) => (error === undefined ? resolve() : reject(error)),
        rowsLeft: rows.length,
        settled: false,
      };
      this.#writes.add(write);
      for (const row of rows) this.#queue.push({ row, write });
      this.#metrics.pendingRows.set(this.#pendingRows);
      this.#expiry ??= setTimeout(() => this.#expire(), this.#settings.commitTimeoutMs);
      this.#running ??= this.#flushAll();
    });
  }

  /** Takes no more rows and resolves when every write before has its answer. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#running;
    clearTimeout(this.#expiry);
  }

  get #pendingRows(): number {
    return this.#queue.length + this.#inFlightRows;
  }

  async #flushAll(): Promise<void> {
    let failures = 0;
    while (this.#queue.length > 0) {
      const group = this.#queue.splice(0, this.#settings.flushRows);
      this.#inFlightRows = group.length;
      const stopTimer = this.#metrics.commitSeconds.startTimer();
      const again = await this.#flush(group);
      stopTimer();
      this.#inFlightRows = 0;
      this.#queue = [...again.filter(isWanted), ...this.#queue];
      this.#metrics.pendingRows.set(this.#pendingRows);
      if (again.length === 0) {
        if (failures > 0) this.#log.info({ failures }, "QuestDB commits rows again");
        failures = 0;
        continue;
      }
      this.#metrics.commitFailures.inc();
      await pause(Math.min(leastPauseMs * 2 ** failures, mostPauseMs));
      failures += 1;
      this.#queue = this.#queue.filter(isWanted);
    }
    this.#running = undefined;
  }

  /** Sends a group and gives back the rows that are to be sent again. Halves a refused group until the bad row stands alone. */
  async #flush(group: readonly PendingRow[]): Promise<readonly PendingRow[]> {
    const result = await this.#send(group.map(({ row }) => row));
    if (result.outcome === "unavailable") {
      this.#log.warn({ reason: result.reason, rows: group.length }, "QuestDB did not commit rows, trying again");
      return group;
    }
    if (result.outcome === "refused" && group.length > 1) {
      const middle = group.length >> 1;
      return [...(await this.#flush(group.slice(0, middle))), ...(await this.#flush(group.slice(middle)))];
    }
    for (const { row, write } of group) {
      if (result.outcome === "refused") {
        this.#log.error({ reason: result.reason, table: row.table }, "QuestDB refused a row");
        write.refused.add(row);
      }
      write.rowsLeft -= 1;
      if (write.rowsLeft === 0)
        this.#settle(write, write.refused.size > 0 ? new RowsRefusedError(write.refused) : undefined);
    }
    return [];
  }

  async #send(rows: readonly TableRow[]): Promise<SendResult> {
    let bytes: Buffer;
    try {
      bytes = await this.#encoder.encode(rows);
    } catch {
      return { outcome: "refused", reason: "not encodable" };
    }
    return this.#sender.send(bytes);
  }

  /** Answers the writes whose time is up, also those whose flush is on its way: a store that hangs must not hang its clients. */
  #expire(): void {
    const nowMs = performance.now();
    this.#expiry = undefined;
    for (const write of this.#writes) {
      if (write.deadlineMs > nowMs) {
        this.#expiry = setTimeout(() => this.#expire(), Math.ceil(write.deadlineMs - nowMs));
        break;
      }
      this.#settle(write, unavailable("The event store does not answer"));
    }
    this.#queue = this.#queue.filter(isWanted);
    this.#metrics.pendingRows.set(this.#pendingRows);
  }

  #settle(write: Write, error: Error | undefined): void {
    if (write.settled) return;
    write.settled = true;
    this.#writes.delete(write);
    write.settle(error);
  }
}

/** Short, since a broken connection heals at once; doubled up to the most, since a QuestDB that is away is not to be flooded. */
const leastPauseMs = 20;
const mostPauseMs = 1_000;

function isWanted({ write }: PendingRow): boolean {
  return !write.settled;
}

function unavailable(what: string): ApiError {
  return new ApiError("SERVICE_UNAVAILABLE", `${what}; send the events again in a few seconds`, {
    headers: { "Retry-After": "5" },
  });
}
