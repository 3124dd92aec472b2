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
import { type TableRow, tableNames } from "../../../src/store/questdb/tables.ts";
import { whenApplied } from "../../../src/store/questdb/whenApplied.ts";
import { RowWriter } from "../../../src/store/write/rowWriter.ts";

/** The settings of each QuestDB of all tests; the first one is that which tests read. */
function questdbSettings(): [Config["questdb"], ...Config["questdb"][]] {
  const [first, ...others] = inject("lookout").questdbs.map(
    ({ http, pg }) => readConfig({ QUESTDB_HTTP: http, QUESTDB_PG: pg }).questdb,
  );
  if (first === undefined) throw new Error("the tests have no QuestDB");
  return [first, ...others];
}

const changes = /^\s*(INSERT|UPDATE|ALTER|DROP|TRUNCATE)\b/i;
const appliedSoonMs = 60_000;

/** Other replicas are read by queries of the service only: what a test writes there is visible once its call resolves. */
const whenVisible = (replica: QuestdbReader): Promise<void> =>
  whenApplied(replica, tableNames, AbortSignal.timeout(appliedSoonMs));

/** Reads one QuestDB, and changes all replicas of it alike. */
class ReplicatedReader extends QuestdbReader {
  readonly #others: readonly QuestdbReader[];

  constructor(settings: Config["questdb"], others: readonly Config["questdb"][]) {
    super(settings);
    this.#others = others.map((other) => new QuestdbReader(other));
  }

  override async read(sql: string, values: readonly BoundValue[], options?: ReadOptions): Promise<Row[]> {
    if (!changes.test(sql)) return await super.read(sql, values, options);
    const onOthers = this.#onOthers((other) => other.read(sql, values, options));
    const [rows] = await Promise.all([super.read(sql, values, options), onOthers]);
    return rows;
  }

  override async change(sql: string, values?: readonly (string | number)[]): Promise<void> {
    await Promise.all([super.change(sql, values), this.#onOthers((other) => other.change(sql, values))]);
  }

  override async close(): Promise<void> {
    await Promise.all([super.close(), ...this.#others.map((other) => other.close())]);
  }

  async #onOthers(make: (other: QuestdbReader) => Promise<unknown>): Promise<void> {
    await Promise.all(
      this.#others.map(async (other) => {
        await make(other);
        await whenVisible(other);
      }),
    );
  }
}

/** Reads the QuestDB of all tests. What it inserts or changes is in all of its replicas, since queries may read any of them. */
export function openQuestdb(): QuestdbReader {
  const [first, ...others] = questdbSettings();
  return others.length === 0 ? new QuestdbReader(first) : new ReplicatedReader(first, others);
}

/** Readers of the other replicas of the QuestDB of all tests; none where there is one QuestDB. */
export function openOtherReplicas(): readonly QuestdbReader[] {
  const [, ...others] = questdbSettings();
  return others.map((settings) => new QuestdbReader(settings));
}

/** Writes rows into the QuestDB of all tests, and into its replicas, without the log. A test waits for the first one itself. */
export function openRowWriter(): Pick<RowWriter, "write" | "close"> {
  const log = pino({ level: "silent" });
  const writers = questdbSettings().map((settings) => new RowWriter(settings, createMetrics(), log));
  const others = openOtherReplicas();
  return {
    write: async (rows: readonly TableRow[]) => {
      await Promise.all(writers.map((writer) => writer.write(rows)));
      await Promise.all(others.map(whenVisible));
    },
    close: async () => {
      await Promise.all([...writers, ...others].map((each) => each.close()));
    },
  };
}
