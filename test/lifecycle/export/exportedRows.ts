import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { DuckDBInstance } from "@duckdb/node-api";
import { expect } from "vitest";

/** A row of an exported file; times are Unix ms, JSON is parsed. */
export type ExportedRow = Readonly<Record<string, unknown>>;

type Kind = "text" | "timestamp" | "date" | "integer" | "number" | "json";

/** Columns of a file by name, in their order. */
export type Kinds = Readonly<Record<string, Kind>>;

/** Fails at the first row that differs; a difference of all rows would fill the screen. */
export function expectSameRows(rows: readonly ExportedRow[], expected: readonly ExportedRow[]): void {
  const differs = expected.findIndex((row, index) => !isDeepStrictEqual(rows[index], row));
  if (differs >= 0) expect(rows[differs], `row ${differs}`).toEqual(expected[differs]);
  expect(rows.length).toBe(expected.length);
}

/** DuckDB's own type for each kind. */
const parquetTypes: Readonly<Record<Kind, string>> = {
  text: "VARCHAR",
  timestamp: "TIMESTAMP WITH TIME ZONE",
  date: "DATE",
  integer: "BIGINT",
  number: "DOUBLE",
  json: "JSON",
};

/** JSON has times as numbers (specification part 2). */
const jsonTypes = { ...parquetTypes, timestamp: "BIGINT" };

/** Reads a file of an export with DuckDB. Rejects when a column is missing, is one too many or has another type. */
export async function readExported(name: string, bytes: Buffer, kinds: Kinds): Promise<ExportedRow[]> {
  const folder = await mkdtemp(join(tmpdir(), "lookout-exported-"));
  const instance = await DuckDBInstance.create(":memory:");
  try {
    const path = join(folder, name);
    await writeFile(path, bytes);
    const connection = await instance.connect();
    const source = sourceSql(path, kinds);
    const described = await connection.runAndReadAll(`DESCRIBE SELECT * FROM ${source}`);
    const types = described.getRowObjectsJson().map((row) => [row["column_name"], row["column_type"]]);
    const wanted = name.endsWith(".ndjson") ? jsonTypes : parquetTypes;
    const expected = Object.entries(kinds).map(([column, kind]) => [column, wanted[kind]]);
    if (JSON.stringify(types) !== JSON.stringify(expected)) throw new Error(`${name} is ${JSON.stringify(types)}`);
    const columns = Object.entries(kinds).map(([column, kind]) => `${valueSql(kind, column, name)} AS "${column}"`);
    const read = await connection.runAndReadAll(`SELECT ${columns.join(", ")} FROM ${source}`);
    return read.getRowObjectsJson().map((row) =>
      Object.fromEntries(
        Object.entries(kinds).map(([column, kind]) => {
          const value = row[column];
          return [column, kind === "json" && typeof value === "string" ? JSON.parse(value) : value];
        }),
      ),
    );
  } finally {
    instance.closeSync();
    await rm(folder, { recursive: true, force: true });
  }
}

function sourceSql(path: string, kinds: Kinds): string {
  if (path.endsWith(".parquet")) return `read_parquet('${path}')`;
  const isCsv = path.endsWith(".csv");
  const types = Object.entries(kinds).map(
    ([column, kind]) => `'${column}': '${isCsv ? parquetTypes[kind] : jsonTypes[kind]}'`,
  );
  const columns = `columns = {${types.join(", ")}}`;
  return isCsv
    ? `read_csv('${path}', header = true, delim = ',', quote = '"', escape = '"', new_line = '\\r\\n', nullstr = '', allow_quoted_nulls = false, auto_detect = false, ${columns})`
    : `read_json('${path}', format = 'newline_delimited', ${columns})`;
}

function valueSql(kind: Kind, column: string, name: string): string {
  if (kind === "timestamp" && !name.endsWith(".ndjson")) return `epoch_ms("${column}")::DOUBLE`;
  if (kind === "timestamp" || kind === "integer") return `"${column}"::DOUBLE`;
  if (kind === "date" || kind === "json") return `"${column}"::VARCHAR`;
  // A text that begins like a formula has an apostrophe in front.
  if (kind === "text" && name.endsWith(".csv"))
    return `regexp_replace("${column}", '^''(''*[=+\\-@\\t\\r\\n＝＋－＠])', '\\1')`;
  return `"${column}"`;
}
