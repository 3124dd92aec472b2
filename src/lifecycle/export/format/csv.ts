import type { TextRow } from "../../../store/questdb/questdbReader.ts";
import { utcDayOf } from "../../../time/utcDay.ts";
import type { Column, ColumnKind } from "../run/datasets.ts";
import type { FileFormat, PartEncoder } from "./fileFormat.ts";
import { TextBuffer } from "./textBuffer.ts";

/**
 * CSV by RFC 4180: UTF-8, commas, CRLF, a header. Null is an empty field, an empty text is `""`. Times are ISO 8601 in
 * UTC, objects JSON.
 *
 * Visitors choose most texts, and spreadsheets execute a text that begins like a formula. Such a text gets an
 * apostrophe in front, as OWASP advises; so does one that begins with apostrophes and then like a formula, so that
 * removing one apostrophe restores every value.
 */
export const csv: FileFormat = {
  extension: "csv",
  isDeflated: true,
  maxRowsOfFile: Number.POSITIVE_INFINITY,
  note: 'RFC 4180, UTF-8. An empty field is null, "" an empty text. A text that begins like a formula (= + - @ tab, line break) has an apostrophe in front; take it off to get the text. Rows are in order of time.',
  typeName: ({ kind }) => typeNames[kind],
  hasEnds: false,
  partEncoder: (columns) => new CsvEncoder(columns),
  head: (columns) => Buffer.from(`${columns.map(({ name }) => name).join(",")}\r\n`),
  tail: () => new Uint8Array(),
};

const typeNames: Readonly<Record<ColumnKind, string>> = {
  text: "text",
  timestamp: "ISO 8601 time, UTC",
  date: "YYYY-MM-DD, UTC",
  integer: "integer",
  number: "number",
  json: "JSON",
};

/** The full-width forms are formulas in spreadsheets in East Asian languages. */
const formulaStart = /^'*[=+\-@\t\r\n＝＋－＠]/;

const needsQuotes = /[",\r\n]|^ | $/;

class CsvEncoder implements PartEncoder {
  readonly #columns: readonly Column[];
  readonly #lines = new TextBuffer();

  constructor(columns: readonly Column[]) {
    this.#columns = columns;
  }

  add(row: TextRow): void {
    let line = "";
    for (const [index, { kind }] of this.#columns.entries()) {
      if (index > 0) line += ",";
      const value = row[index] ?? null;
      if (value !== null) line += field(kind, value);
    }
    this.#lines.append(`${line}\r\n`);
  }

  take(): Uint8Array {
    return this.#lines.take();
  }

  end(): undefined {
    return undefined;
  }
}

function field(kind: ColumnKind, value: string): string {
  if (kind === "timestamp") return new Date(Number(value)).toISOString();
  if (kind === "date") return utcDayOf(Number(value));
  if (kind === "integer" || kind === "number") return value;
  const safe = formulaStart.test(value) ? `'${value}` : value;
  return safe === "" || needsQuotes.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
