import type { Logger } from "pino";
import type { Config } from "../../config.ts";
import type { Metrics } from "../../observability/metrics.ts";
import { inSpan } from "../../observability/traces.ts";
import type { KeyedRow } from "../questdb/keyedRow.ts";
import type { CommitGuard } from "./commitGuard.ts";
import type { AfterCommit, CommitStep } from "./commitStep.ts";
import { RowSender, type SendResult } from "./rowSender.ts";

/** A row that QuestDB refuses because of its content, and its reason. */
export type Refusal<Row> = { readonly row: Row; readonly reason: string };

/**
 * The result for a group: all committed except those that QuestDB refuses, or nothing committed and to be retried as a
 * whole.
 */
export type CommitResult<Row> =
  | { readonly outcome: "committed"; readonly refused: readonly Refusal<Row>[] }
  | { readonly outcome: "unavailable" };

export type CommitPath = {
  /** Run in this order before rows are encoded. */
  readonly steps?: readonly CommitStep[];
  /** Keeps out rows that must no longer be stored; undefined lets everything in. */
  readonly guard?: CommitGuard | undefined;
  readonly afterCommit?: readonly AfterCommit[];
  /**
   * Whether QuestDB's tables are known to exist: for rows of a missing table QuestDB would create one of its own
   * design.
   */
  readonly isReady?: () => boolean;
};

type SenderSettings = Pick<Config["questdb"], "http" | "commitTimeoutMs">;

type CommitLog = Pick<Logger, "warn" | "info" | "error">;

/** One attempt to take rows through the steps into QuestDB. Repeating it with the same rows stores nothing twice. */
export class RowCommitter<Row extends KeyedRow> {
  readonly #sender: RowSender;
  readonly #metrics: Pick<Metrics, "commitSeconds" | "commitFailures">;
  readonly #log: CommitLog;
  readonly #encode: (rows: readonly Row[]) => Buffer | Promise<Buffer>;
  readonly #path: CommitPath;

  constructor(
    settings: SenderSettings,
    metrics: Pick<Metrics, "commitSeconds" | "commitFailures">,
    log: CommitLog,
    path: CommitPath,
    encode: (rows: readonly Row[]) => Buffer | Promise<Buffer>,
  ) {
    this.#sender = new RowSender(settings);
    this.#metrics = metrics;
    this.#log = log;
    this.#encode = encode;
    this.#path = path;
  }

  /** Prepares and stores rows; `receivedMs` says when each was received, Unix ms. */
  async commit(rows: readonly Row[], receivedMs: readonly number[]): Promise<CommitResult<Row>> {
    return this.store(await this.prepare(rows), receivedMs);
  }

  /** Runs the steps; undefined when the rows are to be retried. */
  async prepare(given: readonly Row[]): Promise<readonly Row[] | undefined> {
    const { isReady, steps = [] } = this.#path;
    if (isReady?.() === false) return undefined;
    let rows = given;
    for (const step of steps)
      try {
        rows = await step(rows);
      } catch (error) {
        const fields = { err: error, step: step.name, rows: given.length };
        this.#log.warn(fields, "rows could not be made ready for QuestDB, trying again");
        return undefined;
      }
    return rows;
  }

  /** Stores prepared rows. Rows that the guard keeps out count as committed: there is nothing left to do. */
  store(ready: readonly Row[] | undefined, receivedMs: readonly number[]): Promise<CommitResult<Row>> {
    const attributes = { "db.system.name": "questdb", "db.operation.batch.size": ready?.length ?? 0 };
    // A group is of many calls, and the first of them has started the consumer of the log: a trace of its own.
    return inSpan("questdb commit", { kind: "client", parent: "none", attributes }, () => this.#run(ready, receivedMs));
  }

  async #run(ready: readonly Row[] | undefined, receivedMs: readonly number[]): Promise<CommitResult<Row>> {
    const stopTimer = this.#metrics.commitSeconds.startTimer();
    const refused: Refusal<Row>[] = [];
    const stored = ready && (await this.#storeAllowed(ready, receivedMs, refused));
    stopTimer();
    if (stored === undefined) {
      this.#metrics.commitFailures.inc();
      return { outcome: "unavailable" };
    }
    const withoutRefused =
      refused.length === 0 ? stored : stored.filter((row) => refused.every((one) => one.row !== row));
    this.#notify(withoutRefused, receivedMs[0] ?? Date.now());
    return { outcome: "committed", refused };
  }

  /** Stores the rows that the guard lets in, and resolves to them; undefined when they are to be retried. */
  async #storeAllowed(
    ready: readonly Row[],
    receivedMs: readonly number[],
    refused: Refusal<Row>[],
  ): Promise<readonly Row[] | undefined> {
    const pass = await this.#path.guard?.enter(ready, receivedMs).catch((error: unknown) => {
      this.#log.warn({ err: error, rows: ready.length }, "rows could not be checked for erasures, trying again");
      return "unknown" as const;
    });
    if (pass === "unknown") return undefined;
    try {
      const isWhole = pass === undefined || pass.refused.size === 0;
      const rows = isWhole ? ready : ready.filter((_, index) => !pass.refused.has(index));
      return rows.length === 0 || (await this.#store(rows, refused)) ? rows : undefined;
    } finally {
      await pass?.leave();
    }
  }

  /** Bisects a refused group until the bad row is alone. False as soon as QuestDB is not available. */
  async #store(rows: readonly Row[], refused: Refusal<Row>[]): Promise<boolean> {
    const result = await this.#send(rows);
    if (result.outcome === "committed") return true;
    if (result.outcome === "unavailable") {
      this.#log.warn({ reason: result.reason, rows: rows.length }, "QuestDB did not commit rows, trying again");
      return false;
    }
    if (rows.length > 1) {
      const middle = rows.length >> 1;
      return (await this.#store(rows.slice(0, middle), refused)) && (await this.#store(rows.slice(middle), refused));
    }
    this.#log.error({ reason: result.reason, table: rows[0]?.table }, "QuestDB refused a row");
    for (const row of rows) refused.push({ row, reason: result.reason });
    return true;
  }

  async #send(rows: readonly Row[]): Promise<SendResult> {
    let bytes: Buffer;
    try {
      bytes = await this.#encode(rows);
    } catch {
      return { outcome: "refused", reason: "not encodable" };
    }
    return await this.#sender.send(bytes);
  }

  #notify(rows: readonly Row[], receivedMs: number): void {
    for (const afterCommit of this.#path.afterCommit ?? []) {
      try {
        afterCommit(rows, receivedMs);
      } catch (error) {
        this.#log.error({ err: error }, "a step after a commit failed");
      }
    }
  }
}
