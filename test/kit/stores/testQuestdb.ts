import { pino } from "pino";
import { inject } from "vitest";
import { type Config, readConfig } from "../../../src/config.ts";
import { createMetrics } from "../../../src/observability/metrics.ts";
import {
  type BoundValue,
  QuestdbReader,
  type ReadOptions,
  type Row,
} from "../../../src/store/questdb/questdbReader.ts";
import type { TableRow } from "../../../src/store/questdb/tables.ts";
import { RowWriter } from "../../../src/store/write/rowWriter.ts";

/** The settings of each QuestDB of all tests; the first one is that which queries read. */
function questdbSettings(): [Config["questdb"], ...Config["questdb"][]] {
  const [first, ...others] = inject("lookout").questdbs.map(
    ({ http, pg }) => readConfig({ QUESTDB_HTTP: http, QUESTDB_PG: pg }).questdb,
  );
  if (first === undefined) throw new Error("the tests have no QuestDB");
  return [first, ...others];
}

const changes = /^\s*(INSERT|UPDATE|ALTER|DROP|TRUNCATE)\b/i;

/** Reads one QuestDB, and changes all replicas of it alike. */
class ReplicatedReader extends QuestdbReader {
  readonly #others: readonly QuestdbReader[];

  constructor(settings: Config["questdb"], others: readonly Config["questdb"][]) {
    super(settings);
    this.#others = others.map((other) => new QuestdbReader(other));
  }

  override async read(sql: string, values: readonly BoundValue[], options?: ReadOptions): Promise<Row[]> {
    const others = changes.test(sql) ? this.#others : [];
    const [rows] = await Promise.all([
      super.read(sql, values, options),
      ...others.map((other) => other.read(sql, values, options)),
    ]);
    return rows;
  }

  override async change(sql: string, values?: readonly (string | number)[]): Promise<void> {
    await Promise.all([super.change(sql, values), ...this.#others.map((other) => other.change(sql, values))]);
  }

  override async close(): Promise<void> {
    await Promise.all([super.close(), ...this.#others.map((other) => other.close())]);
  }
}

/** Reads the QuestDB of all tests. What it inserts or changes is in all of its replicas, since queries may read any of them. */
export function openQuestdb(): QuestdbReader {
  const [first, ...others] = questdbSettings();
  return others.length === 0 ? new QuestdbReader(first) : new ReplicatedReader(first, others);
}

/** Writes rows into the QuestDB of all tests, and into its replicas, without the log. */
export function openRowWriter(): Pick<RowWriter, "write" | "close"> {
  const log = pino({ level: "silent" });
  const writers = questdbSettings().map((settings) => new RowWriter(settings, createMetrics(), log));
  return {
    write: async (rows: readonly TableRow[]) => void (await Promise.all(writers.map((writer) => writer.write(rows)))),
    close: async () => void (await Promise.all(writers.map((writer) => writer.close()))),
  };
}
