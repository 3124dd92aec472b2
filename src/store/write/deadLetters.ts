import { appendFile, stat } from "node:fs/promises";
import type { Logger } from "pino";
import type { Metrics } from "../../observability/metrics.ts";
import type { KeyedRow } from "../questdb/keyedRow.ts";

export type RefusedRow = { readonly row: KeyedRow; readonly reason: string };

/** Accepted rows that QuestDB will never take, as one JSON object per line with the reason, for a person to look at. */
export class DeadLetters {
  readonly #path: string;
  readonly #metrics: Pick<Metrics, "deadLetters">;
  readonly #log: Pick<Logger, "error">;

  constructor(path: string, metrics: Pick<Metrics, "deadLetters">, log: Pick<Logger, "error">) {
    this.#path = path;
    this.#metrics = metrics;
    this.#log = log;
  }

  /** Rejects when the file cannot be written. When the file is full, further rows are only counted and logged. */
  async add(refused: readonly RefusedRow[]): Promise<void> {
    if (refused.length === 0) return;
    const size = await stat(this.#path).then(
      (found) => found.size,
      () => 0,
    );
    if (size < maxBytes) {
      const at = new Date().toISOString();
      const lines = refused.map(({ row, reason }) => `${JSON.stringify({ at, reason, row })}\n`);
      await appendFile(this.#path, lines.join(""), { mode: 0o600 });
    }
    this.#metrics.deadLetters.inc(refused.length);
    this.#log.error(
      { rows: refused.length, file: this.#path, kept: size < maxBytes },
      "rows that QuestDB refuses were moved to the dead letters; the file has the reasons",
    );
  }
}

/** Many such rows have one cause, which the first ones show. */
const maxBytes = 67_108_864;
