import fc from "fast-check";
import { parquetMetadata } from "hyparquet";
import { describe, expect, test } from "vitest";
import type { Column, ColumnKind } from "../../../src/lifecycle/export/dataset.ts";
import { CsvScanner } from "../../../src/lifecycle/export/format/csvScanner.ts";
import { formats } from "../../../src/lifecycle/export/format/formats.ts";
import { type ExportedRow, readExported } from "./exportedRows.ts";

const kinds = {
  id: "text",
  at: "timestamp",
  day: "date",
  text: "text",
  count: "integer",
  value: "number",
  properties: "json",
} as const satisfies Record<string, ColumnKind>;
const columns = Object.entries(kinds).map(([name, kind]): Column => ({ name, kind, sql: name }));

type Row = { [K in keyof typeof kinds]: string | null };

const awkward = [
  "",
  " ",
  "'",
  "''=",
  "=1",
  "-",
  "@a",
  "＝",
  "é😀",
  '"',
  "a,b",
  "a\r\nb",
  "\t",
  "\\",
  "\u0001",
  "null",
  "a ",
];
const text = fc.oneof(fc.constantFrom(...awkward), fc.string({ unit: "grapheme" }), fc.string());
const json = fc.oneof(
  fc.json({ stringUnit: "grapheme" }),
  fc.constantFrom('{"a":1.50,"b":"x,\\n\\"y\\""}', "{\r\n}", "no JSON"),
);
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 4 });
const rowsOf: fc.Arbitrary<Row[]> = fc.array(
  fc.record<Row>({
    id: text,
    at: maybe(fc.nat(4_000_000_000_000).map(String)),
    day: maybe(fc.nat(40_000).map((day) => String(day * 86_400_000))),
    text: maybe(text),
    count: maybe(fc.integer().map(String)),
    value: maybe(fc.constantFrom("0.1", "-5.0", "1.0E10", "12345.678", "1.0E-7")),
    properties: maybe(json),
  }),
  { maxLength: 20 },
);

const isText = (name: string) => Reflect.get(kinds, name) === "text" || name === "properties";

/** As QuestDB writes rows, with the two fields of the cursor. */
function questdbCsv(rows: readonly Row[]): Buffer {
  const field = ([name, value]: [string, string | null]) =>
    value === null ? "" : isText(name) ? `"${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '""')}"` : value;
  return Buffer.from(rows.map((row) => `${Object.entries(row).map(field).join(",")},17,"k,"\r\n`).join(""));
}

/** What a scanner finds in pieces of `bytes`. */
async function* scanned(csv: Buffer, bytes: number): AsyncGenerator<CsvScanner> {
  const scanner = new CsvScanner(columns.length + 2);
  for (let at = 0; at < csv.length; at += bytes) {
    scanner.push(csv.subarray(at, at + bytes));
    if (scanner.rows > 0) yield scanner;
  }
  expect(scanner.hasRest).toBe(false);
}

async function encoded(format: "csv" | "json", rows: readonly Row[], bytes: number): Promise<string> {
  const pieces: Uint8Array[] = [];
  const part = formats[format].encode(columns, scanned(questdbCsv(rows), bytes), () => undefined);
  for await (const piece of part) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

/** Nothing but the definition of the format. */
function csvField(kind: ColumnKind, value: string | null): string {
  if (value === null) return "";
  if (kind === "timestamp") return new Date(Number(value)).toISOString();
  if (kind === "date") return new Date(Number(value)).toISOString().slice(0, 10);
  if (kind === "integer" || kind === "number") return value;
  const safe = /^'*[=+\-@\t\r\n＝＋－＠]/.test(value) ? `'${value}` : value;
  return safe === "" || /[",\r\n]|^ | $/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function jsonMember(kind: ColumnKind, value: string | null): string {
  if (value === null) return "null";
  if (kind === "text") return JSON.stringify(value);
  if (kind === "date") return `"${new Date(Number(value)).toISOString().slice(0, 10)}"`;
  if (kind !== "json") return value;
  if (!isJson(value)) return JSON.stringify(value);
  return /[\r\n]/.test(value) ? JSON.stringify(JSON.parse(value)) : value;
}

describe("4.18: what is copied from QuestDB's CSV is what the formats define", () => {
  test("in CSV and JSON, wherever the pieces of the answer end", async () => {
    await fc.assert(
      fc.asyncProperty(rowsOf, fc.integer({ min: 1, max: 400 }), async (rows, bytes) => {
        const csv = rows.map(
          (row) => `${columns.map(({ name, kind }) => csvField(kind, valueIn(row, name))).join(",")}\r\n`,
        );
        expect(await encoded("csv", rows, bytes)).toBe(csv.join(""));
        const members = (row: Row) =>
          columns.map(({ name, kind }) => `${JSON.stringify(name)}:${jsonMember(kind, valueIn(row, name))}`).join(",");
        expect(await encoded("json", rows, bytes)).toBe(rows.map((row) => `{${members(row)}}\n`).join(""));
      }),
    );
  });

  test("rows larger than the buffer are found, and a row of another width is refused", async () => {
    const row: Row = {
      id: "x".repeat(700_000),
      at: null,
      day: null,
      text: '"'.repeat(9),
      count: "1",
      value: null,
      properties: null,
    };
    expect(await encoded("csv", [row, row], 65_536)).toBe(`${row.id},,,"${'"'.repeat(18)}",1,,\r\n`.repeat(2));
    expect(() => new CsvScanner(3).push(Buffer.from('1,"a"\r\n'))).toThrow("fields");
  });

  test("in Parquet, in a file of several parts of which one is empty", async () => {
    const row = (index: number): Row => ({
      id: `event-${index}`,
      at: index % 3 === 0 ? null : String(1_790_000_000_000 + index),
      day: String(20_000 * 86_400_000),
      text: awkward[index % awkward.length] ?? null,
      count: String(index - 3),
      value: index % 2 === 0 ? "0.1" : "1.0E10",
      properties: index % 5 === 0 ? null : '{"a":"b,\\"c"}',
    });
    const rows = Array.from({ length: 60 }, (_, index) => row(index));
    const { head, encode, tail } = formats.parquet;
    const file = [head(columns)];
    const ends: Uint8Array[] = [];
    for (const part of [rows.slice(0, 25), [], rows.slice(25)])
      for await (const piece of encode(columns, scanned(questdbCsv(part), 100), (end) => ends.push(end)))
        file.push(piece);
    file.push(tail(columns, ends));
    const expected = rows.map((each): ExportedRow => {
      const numbers = { at: each.at && Number(each.at), count: Number(each.count), value: Number(each.value) };
      return { ...each, ...numbers, day: "2024-10-04", properties: each.properties && JSON.parse(each.properties) };
    });
    expect(await readExported("rows.parquet", Buffer.concat(file), kinds)).toEqual(expected);
  });

  test("in Parquet, with row groups of few rows where rows are large: DuckDB holds one in memory", async () => {
    const large = JSON.stringify({ text: "x".repeat(30_000) });
    const rows = Array.from({ length: 1_500 }, (_, index) => ({ ...none, count: String(index), properties: large }));
    const ends: Uint8Array[] = [];
    const part = formats.parquet.encode(columns, scanned(questdbCsv(rows), 1_000_000), (end) => ends.push(end));
    for await (const _ of part);
    const groups = ends.flatMap((end) => parquetMetadata(new Uint8Array(end).buffer).row_groups);
    expect(groups.length).toBeGreaterThan(1);
    let next = 0;
    for (const { columns: chunks, num_rows: count } of groups) {
      const { min_value: first, max_value: last } =
        chunks[columns.findIndex(({ name }) => name === "count")]?.meta_data?.statistics ?? {};
      expect([first, last], "in order").toEqual([BigInt(next), BigInt(next) + count - 1n]);
      next += Number(count);
    }
    expect(next).toBe(rows.length);
  });

  test("rows that cannot be read fail a part in Parquet with what was wrong, and rows that DuckDB refuses as well", async () => {
    const encode = async (rows: AsyncIterable<CsvScanner>) => {
      for await (const _ of formats.parquet.encode(columns, rows, () => undefined));
    };
    async function* broken() {
      yield* scanned(questdbCsv([{ ...none, id: "a" }]), 100);
      throw new Error("QuestDB has gone");
    }
    await expect(encode(broken())).rejects.toThrow("QuestDB has gone");
    await expect(encode(scanned(questdbCsv([{ ...none, id: "a", count: "x" }]), 100))).rejects.toThrow("DuckDB");
  });
});

const none: Row = { id: null, at: null, day: null, text: null, count: null, value: null, properties: null };

function valueIn(row: Row, name: string): string | null {
  return Reflect.get(row, name);
}
