import { retry } from "../../concurrency/retry.ts";
import type { Metrics } from "../../observability/metrics.ts";
import type { KeyedRow } from "../questdb/keyedRow.ts";
import type { Questdbs } from "../questdb/questdbs.ts";
import { appliedSoonMs, whenApplied } from "../questdb/whenApplied.ts";
import type { AfterCommit } from "./commitStep.ts";
import { ownerOfRow } from "./rowOwner.ts";

/** Each measurement asks QuestDB several times. */
const measureEveryMs = 5_000;

/**
 * Measures how long after its acknowledgement a row can be queried, for one commit every few seconds. While QuestDB does
 * not apply commits, as with a suspended table, the measurement waits, and then counts the whole time.
 */
export class VisibilityDelay {
  readonly #questdb: Pick<Questdbs, "nodeOf">;
  readonly #metrics: Pick<Metrics, "visibleSeconds">;
  readonly #closing = new AbortController();
  #isMeasuring = false;
  #measuredMs = Number.NEGATIVE_INFINITY;

  constructor(questdb: Pick<Questdbs, "nodeOf">, metrics: Pick<Metrics, "visibleSeconds">) {
    this.#questdb = questdb;
    this.#metrics = metrics;
  }

  readonly afterCommit: AfterCommit = (rows, receivedMs) => {
    const [row] = rows;
    if (row === undefined || this.#isMeasuring || performance.now() - this.#measuredMs < measureEveryMs) return;
    this.#isMeasuring = true;
    this.#measure(row, receivedMs)
      // Only the end of the process stops it.
      .catch(() => undefined)
      .finally(() => {
        this.#measuredMs = performance.now();
        this.#isMeasuring = false;
      });
  };

  /** Ends a measurement that waits. */
  close(): void {
    this.#closing.abort();
  }

  async #measure(row: KeyedRow, receivedMs: number): Promise<void> {
    const { signal } = this.#closing;
    const applied = async () => {
      const { reader } = await this.#questdb.nodeOf(ownerOfRow(row));
      await whenApplied(reader, [row.table], signal, appliedSoonMs);
    };
    await retry(applied, {
      minWaitMs: 250,
      maxWaitMs: 5_000,
      stop: signal,
      onRetry: () => undefined,
    });
    this.#metrics.visibleSeconds.observe(Math.max(0, Date.now() - receivedMs) / 1_000);
  }
}
