import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { columnsOfTable } from "../../../src/store/questdb/tables.ts";
import { visitTables } from "./visitTables.ts";

const types = {
  TIMESTAMP: "BIGINT",
  SYMBOL: "VARCHAR",
  VARCHAR: "VARCHAR",
  LONG: "BIGINT",
  INT: "INTEGER",
  DOUBLE: "DOUBLE",
  FLOAT: "DOUBLE",
} as const;

/** Rows by table, each by the names of its columns; `ts` is Unix ms. */
export type OracleData = { readonly [table in keyof typeof columnsOfTable]?: readonly OracleRow[] };

export type OracleRow = Readonly<Record<string, string | number | null>>;

/** The same rows in DuckDB; `ts` is Unix ms. */
export class OracleTables {
  readonly #instance: DuckDBInstance;
  readonly #connection: DuckDBConnection;

  private constructor(instance: DuckDBInstance, connection: DuckDBConnection) {
    this.#instance = instance;
    this.#connection = connection;
  }

  /** `derived` are statements that make further tables of these. */
  static async open(data: OracleData, derived: readonly string[] = visitTables): Promise<OracleTables> {
    const folder = await mkdtemp(join(tmpdir(), "lookout-oracle-"));
    try {
      const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
      const connection = await instance.connect();
      for (const [table, rows] of Object.entries(data)) {
        const file = join(folder, `${table}.ndjson`);
        await writeFile(file, rows.map((row) => JSON.stringify(row)).join("\n"));
        const columns = Object.entries(columnsOfTable[table as keyof OracleData]).map(
          ([name, kind]) => `${name}: '${types[kind]}'`,
        );
        const source = `read_json('${file}', format = 'newline_delimited', columns = {${columns.join(", ")}})`;
        await connection.run(`CREATE TABLE ${table} AS SELECT * FROM ${source} ORDER BY ts`);
      }
      for (const statement of derived) await connection.run(statement);
      return new OracleTables(instance, connection);
    } finally {
      await rm(folder, { recursive: true });
    }
  }

  /** Rows of a statement; its columns are texts and numbers. */
  async rows(sql: string): Promise<OracleRow[]> {
    const result = await this.#connection.runAndReadAll(`SELECT to_json(answer)::VARCHAR FROM (${sql}) answer`);
    return result.getRowsJson().map(([text]): OracleRow => JSON.parse(String(text)));
  }

  close(): void {
    this.#connection.closeSync();
    this.#instance.closeSync();
  }
}
