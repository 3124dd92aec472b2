import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { columnsOfTable } from "../../../src/store/questdb/tables.ts";
import { type RawRows, rawTables } from "./rawSamples.ts";

export type OracleRow = Readonly<Record<string, string | number | null>>;

const duckdbTypes = {
  TIMESTAMP: "BIGINT",
  SYMBOL: "VARCHAR",
  VARCHAR: "VARCHAR",
  LONG: "BIGINT",
  INT: "INTEGER",
  DOUBLE: "DOUBLE",
  FLOAT: "DOUBLE",
} as const;

/** The same rows in DuckDB, where `ts` is Unix ms. */
export class RawOracle {
  readonly #instance: DuckDBInstance;
  readonly #connection: DuckDBConnection;

  private constructor(instance: DuckDBInstance, connection: DuckDBConnection) {
    this.#instance = instance;
    this.#connection = connection;
  }

  static async open(rows: readonly RawRows[]): Promise<RawOracle> {
    const folder = await mkdtemp(join(tmpdir(), "lookout-oracle-"));
    try {
      const instance = await DuckDBInstance.create(":memory:");
      const connection = await instance.connect();
      for (const table of rawTables) {
        const file = join(folder, `${table}.ndjson`);
        await writeFile(file, rows.flatMap((one) => one[table].map((row) => JSON.stringify(row))).join("\n"));
        const columns = Object.entries(columnsOfTable[table]).map(([name, kind]) => `${name}: '${duckdbTypes[kind]}'`);
        await connection.run(
          `CREATE TABLE ${table} AS SELECT * FROM read_json('${file}', format = 'newline_delimited', columns = {${columns.join(", ")}})`,
        );
      }
      return new RawOracle(instance, connection);
    } finally {
      await rm(folder, { recursive: true });
    }
  }

  async rows(sql: string): Promise<OracleRow[]> {
    const result = await this.#connection.runAndReadAll(`SELECT to_json(answer)::VARCHAR FROM (${sql}) answer`);
    return result.getRowsJson().map(([text]): OracleRow => JSON.parse(String(text)));
  }

  close(): void {
    this.#connection.closeSync();
    this.#instance.closeSync();
  }
}
