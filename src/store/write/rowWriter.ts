import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import type { Config } from "../../config.ts";
import { StoreFailure } from "../../errors/storeFailure.ts";
import type { Metrics } from "../../observability/metrics.ts";
import { encodeRows } from "../questdb/rowEncoder.ts";
import type { TableRow } from "../questdb/tables.ts";
import { type CommitPath, RowCommitter } from "./rowCommitter.ts";

/** QuestDB refused some rows of a write because of their content; the other rows of the write are committed. */
export class RowsRefusedError extends Error {
  override name = "RowsRefusedError";
  readonly refused: ReadonlySet<TableRow>;

  constructor(refused: ReadonlySet<TableRow>) {
    super(`QuestDB refused ${refused.size} rows; their tables or columns differ from src/store/questdb/tables.ts`);
    this.refused = refused;
  }
}

/**
 * Writes rows that can be computed again, such as aggregates, directly to QuestDB, one write after the other. All other
 * rows use RowLog.
 */
export class RowWriter {
  readonly #commitTimeoutMs: number;
  readonly #committer: RowCommitter<TableRow>;
  #last: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(
    settings: Pick<Config["questdb"], "http" | "commitTimeoutMs">,
    metrics: Pick<Metrics, "commitSeconds" | "commitFailures">,
    log: Pick<Logger, "warn" | "info" | "error">,
    path: CommitPath = {},
  ) {
    this.#commitTimeoutMs = settings.commitTimeoutMs;
    this.#committer = new RowCommitter(settings, metrics, log, path, encodeRows);
  }

  /**
   * Resolves when QuestDB has committed the rows. Rejects with RowsRefusedError when it takes only part of them, and
   * with StoreFailure after close or after `commitTimeoutMs`: the rows may then be stored or not.
   */
  async write(rows: readonly TableRow[]): Promise<void> {
    if (rows.length === 0) return;
    if (this.#isClosed) throw new StoreFailure({ kind: "stopping" });
    const deadlineMs = performance.now() + this.#commitTimeoutMs;
    const write = this.#last.then(() => this.#commit(rows, deadlineMs));
    this.#last = write.catch(() => undefined);
    await write;
  }

  /** Resolves when every earlier write has ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#last;
  }

  async #commit(rows: readonly TableRow[], deadlineMs: number): Promise<void> {
    const receivedMs = rows.map(() => Date.now());
    for (let pauseMs = minPauseMs; ; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
      if (performance.now() >= deadlineMs) throw new StoreFailure({ kind: "not_answering" });
      const result = await this.#committer.commit(rows, receivedMs);
      if (result.outcome === "committed") {
        if (result.refused.length > 0) throw new RowsRefusedError(new Set(result.refused.map(({ row }) => row)));
        return;
      }
      await pause(Math.max(0, Math.min(pauseMs, deadlineMs - performance.now())));
    }
  }
}

const minPauseMs = 20;
const maxPauseMs = 1_000;
