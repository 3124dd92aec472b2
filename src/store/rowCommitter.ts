import type { Logger } from "pino";
import type { Config } from "../config.ts";
import type { Metrics } from "../metrics.ts";
import type { CommitGuard } from "./commitGuard.ts";
import type { AfterCommit, CommitStep } from "./commitStep.ts";
import type { RefusedRow } from "./deadLetters.ts";
import { encodeRows } from "./rowEncoder.ts";
import { RowSender, type SendResult } from "./rowSender.ts";
import type { TableRow } from "./tables.ts";

/** What became of a group: all committed but those that QuestDB refuses for what is in them, or to be tried again as a whole. */
export type CommitResult =
  | { readonly outcome: "committed"; readonly refused: readonly RefusedRow[] }
  | { readonly outcome: "unavailable" };

export type CommitPath = {
  /** Run in this order before rows are encoded. */
  readonly steps?: readonly CommitStep[];
  /** Keeps out what must not be stored any more; undefined lets everything in. */
  readonly guard?: CommitGuard | undefined;
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
  readonly #guard: CommitGuard | undefined;
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
    this.#guard = path.guard;
    this.#afterCommit = path.afterCommit ?? [];
    this.#isReady = path.isReady ?? (() => true);
  }

  /** `receivedMs` says when each row was received, Unix ms. What the guard keeps out counts as committed: there is nothing left to do. */
  async commit(given: readonly TableRow[], receivedMs: readonly number[]): Promise<CommitResult> {
    const stopTimer = this.#metrics.commitSeconds.startTimer();
    const refused = new Map<number, string>();
    const ready = await this.#prepare(given);
    const places = ready && (await this.#storeAllowed(ready, receivedMs, refused));
    stopTimer();
    if (ready === undefined || places === undefined) {
      this.#metrics.commitFailures.inc();
      return { outcome: "unavailable" };
    }
    const isWhole = refused.size === 0 && places.length === ready.length;
    this.#tell(isWhole ? ready : places.flatMap((place, index) => (refused.has(index) ? [] : (ready[place] ?? []))));
    return {
      outcome: "committed",
      refused: [...refused].flatMap(([index, reason]) => {
        const row = given[places[index] ?? -1];
        return row === undefined ? [] : { row, reason };
      }),
    };
  }

  /** Stores the rows that the guard lets in and resolves to their places among all; undefined when they are to be tried again. */
  async #storeAllowed(
    ready: readonly TableRow[],
    receivedMs: readonly number[],
    refused: Map<number, string>,
  ): Promise<readonly number[] | undefined> {
    const pass = await this.#guard?.enter(ready, receivedMs).catch((error: unknown) => {
      this.#log.warn({ err: error, rows: ready.length }, "it is not known which rows may be stored, trying again");
      return "unknown" as const;
    });
    if (pass === "unknown") return undefined;
    try {
      const places = [...ready.keys()].filter((place) => pass?.refused.has(place) !== true);
      const rows = places.length === ready.length ? ready : places.flatMap((place) => ready[place] ?? []);
      return rows.length === 0 || (await this.#store(rows, 0, refused)) ? places : undefined;
    } finally {
      await pass?.leave();
    }
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
