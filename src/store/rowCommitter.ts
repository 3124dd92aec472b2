import type { Logger } from "pino";
import type { Config } from "../config.ts";
import type { Metrics } from "../metrics.ts";
import type { AfterCommit, CommitStep } from "./commitStep.ts";
import { encodeRows } from "./rowEncoder.ts";
import { RowSender, type SendResult } from "./rowSender.ts";
import type { RefusedRow } from "./spool/deadLetters.ts";
import type { TableRow } from "./tables.ts";

/** What became of a group: all committed but those that QuestDB refuses for what is in them, or to be tried again as a whole. */
export type CommitResult =
  | { readonly outcome: "committed"; readonly refused: readonly RefusedRow[] }
  | { readonly outcome: "unavailable" };

export type CommitPath = {
  /** Run in this order before rows are encoded. */
  readonly steps?: readonly CommitStep[];
  readonly afterCommit?: readonly AfterCommit[];
  /** Whether QuestDB's tables are known to be there: rows for a missing table would make one of QuestDB's own design. */
  readonly isReady?: () => boolean;
};

type CommitLog = Pick<Logger, "warn" | "info" | "error">;

/** One attempt to bring rows through the steps into QuestDB. Doing it again with the same rows stores nothing twice. */
export class RowCommitter {
  readonly #sender: RowSender;
  readonly #metrics: Pick<Metrics, "commitSeconds" | "commitFailures">;
  readonly #log: CommitLog;
  readonly #steps: readonly CommitStep[];
  readonly #afterCommit: readonly AfterCommit[];
  readonly #isReady: () => boolean;

  constructor(
    settings: Pick<Config["questdb"], "http" | "commitTimeoutMs">,
    metrics: Pick<Metrics, "commitSeconds" | "commitFailures">,
    log: CommitLog,
    path: CommitPath,
  ) {
    this.#sender = new RowSender(settings);
    this.#metrics = metrics;
    this.#log = log;
    this.#steps = path.steps ?? [];
    this.#afterCommit = path.afterCommit ?? [];
    this.#isReady = path.isReady ?? (() => true);
  }

  async commit(given: readonly TableRow[]): Promise<CommitResult> {
    const stopTimer = this.#metrics.commitSeconds.startTimer();
    const refused = new Map<number, string>();
    const ready = await this.#prepare(given);
    const stored = ready !== undefined && (await this.#store(ready, 0, refused));
    stopTimer();
    if (!stored) {
      this.#metrics.commitFailures.inc();
      return { outcome: "unavailable" };
    }
    this.#tell(refused.size === 0 ? ready : ready.filter((_, index) => !refused.has(index)));
    return {
      outcome: "committed",
      refused: given.flatMap((row, index) => {
        const reason = refused.get(index);
        return reason === undefined ? [] : { row, reason };
      }),
    };
  }

  async #prepare(given: readonly TableRow[]): Promise<readonly TableRow[] | undefined> {
    if (!this.#isReady()) return undefined;
    let rows = given;
    try {
      for (const step of this.#steps) rows = await step(rows);
      return rows;
    } catch (error) {
      this.#log.warn({ err: error, rows: given.length }, "rows could not be made ready for QuestDB, trying again");
      return undefined;
    }
  }

  /** Halves a refused group until the bad row stands alone. False as soon as QuestDB is not available. */
  async #store(rows: readonly TableRow[], firstIndex: number, refused: Map<number, string>): Promise<boolean> {
    const result = await this.#send(rows);
    if (result.outcome === "committed") return true;
    if (result.outcome === "unavailable") {
      this.#log.warn({ reason: result.reason, rows: rows.length }, "QuestDB did not commit rows, trying again");
      return false;
    }
    if (rows.length > 1) {
      const middle = rows.length >> 1;
      return (
        (await this.#store(rows.slice(0, middle), firstIndex, refused)) &&
        (await this.#store(rows.slice(middle), firstIndex + middle, refused))
      );
    }
    this.#log.error({ reason: result.reason, table: rows[0]?.table }, "QuestDB refused a row");
    refused.set(firstIndex, result.reason);
    return true;
  }

  async #send(rows: readonly TableRow[]): Promise<SendResult> {
    let bytes: Buffer;
    try {
      bytes = await encodeRows(rows);
    } catch {
      return { outcome: "refused", reason: "not encodable" };
    }
    return this.#sender.send(bytes);
  }

  #tell(rows: readonly TableRow[]): void {
    for (const told of this.#afterCommit) {
      try {
        told(rows);
      } catch (error) {
        this.#log.error({ err: error }, "what follows a commit failed");
      }
    }
  }
}
