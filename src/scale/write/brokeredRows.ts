import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import { mapInSlices } from "../../concurrency/timeSlices.ts";
import type { NewRecord } from "../../durableLog/durableLog.ts";
import type { FileLog } from "../../durableLog/fileLog.ts";
import { StoreFailure } from "../../errors/storeFailure.ts";
import { inSpan } from "../../observability/traces.ts";
import type { TableRow } from "../../store/questdb/tables.ts";
import type { AcceptedRows } from "../../store/write/acceptedRows.ts";
import { recordOf, rowOf } from "../../store/write/loggedRow.ts";
import { ownerOfRow } from "../../store/write/rowOwner.ts";
import type { BrokerLog } from "../kafka/brokerLog.ts";

export type BrokeredRowsOptions = {
  readonly brokers: Pick<BrokerLog, "append" | "oldestMs">;
  /** The log on this machine. It takes rows while the brokers are unavailable, and may have rows of an earlier process. */
  readonly files: FileLog;
  /**
   * The topics that get the rows of an owner. While its organization moves there are briefly two; the second gets a row once the
   * first has it.
   */
  readonly topicsOf: (owner: string) => Promise<readonly string[]>;
  readonly whenUnavailable: "embedded" | "refuse";
};

/**
 * Accepted rows with brokers: a row is acknowledged once two brokers have it. While the brokers are unavailable, rows are
 * refused, or kept in the log on this machine and forwarded later in the order in which they were accepted (`whenUnavailable`).
 */
export class BrokeredRows implements AcceptedRows {
  readonly #brokers: BrokeredRowsOptions["brokers"];
  readonly #files: FileLog;
  readonly #topicsOf: BrokeredRowsOptions["topicsOf"];
  readonly #whenUnavailable: "embedded" | "refuse";
  readonly #log: Pick<Logger, "warn" | "info">;
  readonly #closing = new AbortController();
  /** Writes under way, and when their rows were received, Unix ms. */
  readonly #writes = new Map<Promise<void>, number>();
  #forwarding: Promise<void> | undefined;
  #closedMs = 0;
  #isClosed = false;

  constructor(options: BrokeredRowsOptions, log: Pick<Logger, "warn" | "info">) {
    this.#brokers = options.brokers;
    this.#files = options.files;
    this.#topicsOf = options.topicsOf;
    this.#whenUnavailable = options.whenUnavailable;
    this.#log = log;
    this.#forward();
  }

  async write(rows: readonly TableRow[], receivedMs = Date.now()): Promise<void> {
    if (rows.length === 0) return;
    if (this.#closing.signal.aborted) throw new StoreFailure({ kind: "stopping" });
    const write = inSpan("log append", { kind: "client" }, () => this.#append(rows, receivedMs));
    this.#writes.set(write, receivedMs);
    try {
      await write;
    } finally {
      this.#writes.delete(write);
    }
  }

  /** Rows that neither the brokers nor the log on this machine take are lost. */
  tryUnlogged(): boolean {
    return false;
  }

  get oldestMs(): number | undefined {
    const waiting = [this.#files.oldestMs, this.#brokers.oldestMs, ...this.#writes.values()].filter(
      (oldestMs) => oldestMs !== undefined,
    );
    return waiting.length === 0 ? undefined : waiting.reduce((oldest, each) => Math.min(oldest, each));
  }

  /** Stops accepting rows and forwards the waiting ones while the brokers take them. The rest is left for the next process. */
  async close(): Promise<void> {
    this.#closedMs = performance.now();
    this.#closing.abort();
    await Promise.allSettled(this.#writes.keys());
    this.#forward();
    await this.#forwarding;
    // Do not touch the files from here on: the next process may own them.
    this.#isClosed = true;
    await this.#files.close();
  }

  async #append(rows: readonly TableRow[], receivedMs: number): Promise<void> {
    const records = await mapInSlices(rows, (row) => recordOf(row, receivedMs));
    try {
      await this.#send(records, rows.map(ownerOfRow));
    } catch (error) {
      const isAway = error instanceof StoreFailure && error.problem.kind === "log_unavailable";
      if (!isAway || this.#whenUnavailable === "refuse") throw error;
      await this.#files.append(records);
      this.#forward();
    }
  }

  /** `owners` has the owner of each record. A record that a topic gets twice is stored once. */
  async #send(records: readonly NewRecord[], owners: readonly string[]): Promise<void> {
    const rounds = [new Map<string, NewRecord[]>(), new Map<string, NewRecord[]>()] as const;
    for (const [owner, owned] of Map.groupBy(records.keys(), (index) => owners[index] ?? "")) {
      const topics = await this.#topicsOf(owner);
      for (const [index, round] of rounds.entries()) {
        const topic = topics[index];
        if (topic === undefined) continue;
        const ofTopic = round.get(topic) ?? [];
        round.set(topic, ofTopic);
        for (const place of owned) ofTopic.push(...records.slice(place, place + 1));
      }
    }
    for (const round of rounds)
      await Promise.all([...round].map(([topic, ofTopic]) => this.#brokers.append(topic, ofTopic)));
  }

  #forward(): void {
    if (!this.#files.isEmpty && !this.#isClosed) this.#forwarding ??= this.#forwardAll();
  }

  async #forwardAll(): Promise<void> {
    const { signal } = this.#closing;
    let forwarded = 0;
    for (let pauseMs = minPauseMs; !this.#files.isEmpty; ) {
      try {
        forwarded += await this.#forwardNext();
        pauseMs = minPauseMs;
      } catch (error) {
        if (!(error instanceof StoreFailure))
          this.#log.warn({ err: error }, "the log on this machine could not be read");
        if (signal.aborted) break;
        await pause(pauseMs, undefined, { signal }).catch(() => undefined);
        pauseMs = Math.min(2 * pauseMs, maxPauseMs);
      }
      if (signal.aborted && performance.now() - this.#closedMs > maxClosingMs) break;
    }
    if (forwarded > 0)
      this.#log.info({ rows: forwarded }, "rows that were kept on this machine are in the log of the brokers");
    this.#forwarding = undefined;
    // Rows may have been appended after the last check.
    if (!signal.aborted) this.#forward();
  }

  async #forwardNext(): Promise<number> {
    const { records, next } = await this.#files.read(this.#files.committed, forwardedAtOnce);
    const found = records.map(({ payload, ...record }): NewRecord => ({ ...record, payload: payload.toString() }));
    if (found.length > 0) await this.#send(found, (await mapInSlices(records, rowOf)).map(ownerOfRow));
    await this.#files.commit(next);
    return found.length;
  }
}

const forwardedAtOnce = 2_000;
const minPauseMs = 100;
const maxPauseMs = 1_000;

/** How long `close` keeps forwarding the waiting rows. */
const maxClosingMs = 5_000;
