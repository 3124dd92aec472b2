import { appendFile, stat } from "node:fs/promises";
import type { Logger } from "pino";
import type { Metrics } from "../../observability/metrics.ts";
import type { KeyedRow } from "./keyedRow.ts";

export type RefusedRow = { readonly row: KeyedRow; readonly reason: string };

/** Rows that were acknowledged and that QuestDB will never take, one JSON object a line with the reason, for a person to look at. */
export class DeadLetters {
  readonly #path: string;
  readonly #metrics: Pick<Metrics, "deadLetters">;
  readonly #log: Pick<Logger, "error">;

  constructor(path: string, metrics: Pick<Metrics, "deadLetters">, log: Pick<Logger, "error">) {
    this.#path = path;
    this.#metrics = metrics;
    this.#log = log;
  }

  /** Rejects when the file cannot be written. A full file takes no more; the rows are then only counted and logged. */
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
      "rows that QuestDB refuses were put aside; look at the reasons in the file",
    );
  }
}

/** Many such rows have one cause, which the first ones show. */
const maxBytes = 67_108_864;
