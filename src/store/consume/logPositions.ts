import type { Config } from "../../config.ts";
import type { Positions } from "../../durableLog/kafka/topicReader.ts";
import { executeStatement } from "../questdb/executeStatement.ts";
import { readQuestdbAddress } from "../questdb/questdbAddress.ts";

type Settings = Pick<Config["questdb"], "http" | "queryTimeoutMs">;

/**
 * Up to where a replica has stored the log, in QuestDB beside the rows themselves: a QuestDB whose disk was lost, or that is
 * a copy of another one, has the position that fits its rows. A position that QuestDB has not applied yet is read as an earlier
 * one, from which rows are stored again under the same keys.
 */
export class LogPositions {
  readonly #settings: Settings;
  readonly #shard: string;

  constructor(settings: Settings, shard: string) {
    this.#settings = settings;
    this.#shard = shard;
  }

  async prepare(): Promise<void> {
    // One row a partition of the log, overwritten: all have the same time.
    await this.#run(
      `CREATE TABLE IF NOT EXISTS log_positions (ts TIMESTAMP, shard SYMBOL, log_partition INT, log_offset LONG)
       TIMESTAMP(ts) PARTITION BY YEAR WAL DEDUP UPSERT KEYS(ts, shard, log_partition)`,
    );
  }

  /** Empty when QuestDB has stored nothing of the log. */
  async read(): Promise<Positions> {
    const rows = await this.#run(
      `SELECT log_partition, log_offset FROM log_positions WHERE shard = '${this.#shard}' ORDER BY log_partition`,
    );
    return new Map(rows.map(([partition, offset]) => [Number(partition), BigInt(offset ?? 0)]));
  }

  /** Call it after QuestDB has committed the rows before the positions. */
  async write(positions: Positions): Promise<void> {
    const rows = [...positions].map(([partition, offset]) => `(0, '${this.#shard}', ${partition}, ${offset})`);
    await this.#run(`INSERT INTO log_positions (ts, shard, log_partition, log_offset) VALUES ${rows.join(", ")}`);
  }

  #run(statement: string) {
    return executeStatement(readQuestdbAddress(this.#settings.http), statement, this.#settings.queryTimeoutMs);
  }
}
