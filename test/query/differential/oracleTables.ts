import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { columnsOfTable } from "../../../src/store/questdb/tables.ts";
import { type DataRow, type DataTable, dataTables } from "./dataSet.ts";

const types = {
  TIMESTAMP: "BIGINT",
  SYMBOL: "VARCHAR",
  VARCHAR: "VARCHAR",
  LONG: "BIGINT",
  INT: "INTEGER",
  DOUBLE: "DOUBLE",
  FLOAT: "DOUBLE",
} as const;

export type OracleRow = Readonly<Record<string, string | number | null>>;

/** The same rows in DuckDB; `ts` is Unix ms. */
export class OracleTables {
  readonly #instance: DuckDBInstance;
  readonly #connection: DuckDBConnection;

  private constructor(instance: DuckDBInstance, connection: DuckDBConnection) {
    this.#instance = instance;
    this.#connection = connection;
  }

  static async open(data: Readonly<Record<DataTable, readonly DataRow[]>>): Promise<OracleTables> {
    const folder = await mkdtemp(join(tmpdir(), "lookout-oracle-"));
    try {
      const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
      const connection = await instance.connect();
      for (const table of dataTables) {
        const file = join(folder, `${table}.ndjson`);
        await writeFile(file, data[table].map((row) => JSON.stringify(row)).join("\n"));
        const columns = Object.entries(columnsOfTable[table]).map(([name, kind]) => `${name}: '${types[kind]}'`);
        const source = `read_json('${file}', format = 'newline_delimited', columns = {${columns.join(", ")}})`;
        await connection.run(`CREATE TABLE ${table} AS SELECT * FROM ${source} ORDER BY ts`);
      }
      return new OracleTables(instance, connection);
    } finally {
      await rm(folder, { recursive: true });
    }
  }

  /** Rows of a statement whose columns are VARCHAR or DOUBLE. */
  async rows(sql: string): Promise<OracleRow[]> {
    const result = await this.#connection.runAndReadAll(sql);
    return result.getRowObjectsJson().map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => {
          if (value === null || typeof value === "string" || typeof value === "number") return [name, value];
          throw new Error(`column ${name} is neither text nor a number`);
        }),
      ),
    );
  }

  close(): void {
    this.#connection.closeSync();
    this.#instance.closeSync();
  }
}
