import { randomInt } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Config } from "../../config.ts";
import { executeStatement } from "../../store/questdb/executeStatement.ts";
import { logPositionsTable } from "../../store/questdb/tables.ts";
import type { Positions } from "../kafka/positions.ts";

type Settings = Pick<Config["questdb"], "http" | "queryTimeoutMs">;

/**
 * Offsets up to which a replica has stored the log. They are in QuestDB beside the rows, so they also fit the rows of an empty
 * disk or of a copy of another QuestDB. If QuestDB has not applied the latest offsets yet, earlier ones are read, and rows are
 * stored again under the same keys.
 */
export class LogPositions {
  readonly #settings: Settings;
  readonly #shard: string;
  /** In the table as long as this consumer fills the QuestDB. */
  readonly #run = randomInt(1, 2 ** 47);

  constructor(settings: Settings, shard: string) {
    this.#settings = settings;
    this.#shard = shard;
  }

  /**
   * Creates the table and marks this QuestDB as the one that this consumer fills. Rejects when QuestDB does not show the mark in
   * time.
   */
  async prepare(): Promise<void> {
    // One row per partition of the log, overwritten: all have the same time.
    await this.#execute(
      `CREATE TABLE IF NOT EXISTS ${logPositionsTable} (ts TIMESTAMP, shard SYMBOL, log_partition INT, log_offset LONG)
       TIMESTAMP(ts) PARTITION BY YEAR WAL DEDUP UPSERT KEYS(ts, shard, log_partition)`,
    );
    await this.#insert([[runPartition, this.#run]]);
    const deadlineMs = performance.now() + markTimeoutMs;
    while (!(await this.isOurs())) {
      if (performance.now() > deadlineMs)
        throw new Error(`QuestDB does not apply what the table ${logPositionsTable} got`);
      await pause(100);
    }
  }

  /**
   * Whether this is still the QuestDB that `prepare` has marked. It is not if it is empty after its disk was lost, a copy of
   * another one, or filled by a second consumer. Rejects when it does not answer.
   */
  async isOurs(): Promise<boolean> {
    const rows = await this.#execute(
      `SELECT log_offset FROM ${logPositionsTable} WHERE shard = '${this.#shard}' AND log_partition = ${runPartition}`,
    ).catch((error: unknown) => {
      if (error instanceof Error && error.message.includes("table does not exist")) return [];
      throw error;
    });
    return Number(rows[0]?.[0] ?? 0) === this.#run;
  }

  /** Empty when QuestDB has stored nothing of the log. */
  async read(): Promise<Positions> {
    const rows = await this.#execute(
      `SELECT log_partition, log_offset FROM ${logPositionsTable} WHERE shard = '${this.#shard}' AND log_partition >= 0 ORDER BY log_partition`,
    );
    return new Map(rows.map(([partition, offset]) => [Number(partition), BigInt(offset ?? 0)]));
  }

  /** Call it once QuestDB has committed the rows before the positions. */
  async write(positions: Positions): Promise<void> {
    await this.#insert([...positions]);
  }

  async #insert(offsets: readonly (readonly [number, bigint | number])[]): Promise<void> {
    const rows = offsets.map(([partition, offset]) => `(0, '${this.#shard}', ${partition}, ${offset})`);
    await this.#execute(
      `INSERT INTO ${logPositionsTable} (ts, shard, log_partition, log_offset) VALUES ${rows.join(", ")}`,
    );
  }

  #execute(statement: string) {
    return executeStatement(this.#settings.http, statement, this.#settings.queryTimeoutMs);
  }
}

/** Longer than an idle QuestDB takes to show a row. */
const markTimeoutMs = 10_000;
/** Not a partition of the log: the row that marks the run. */
const runPartition = -1;
