import type { TextRow } from "../../../store/questdb/questdbReader.ts";
import { utcDayOf } from "../../../time/utcDay.ts";
import type { Column, ColumnKind } from "../run/datasets.ts";
import type { FileFormat, PartEncoder } from "./fileFormat.ts";
import { TextBuffer } from "./textBuffer.ts";

/**
 * Newline-delimited JSON: one object per line, so that programs can read files of any size line by line. Properties are
 * objects, times are Unix milliseconds as in the records of specification part 2, and every column is present, null
 * where it has no value.
 */
export const ndjson: FileFormat = {
  extension: "ndjson",
  isDeflated: true,
  maxRowsOfFile: Number.POSITIVE_INFINITY,
  note: "A JSON object a line, UTF-8. Rows are in order of time.",
  typeName: ({ kind }) => typeNames[kind],
  hasEnds: false,
  partEncoder: (columns) => new NdjsonEncoder(columns),
  head: () => new Uint8Array(),
  tail: () => new Uint8Array(),
};

const typeNames: Readonly<Record<ColumnKind, string>> = {
  text: "string",
  timestamp: "number, Unix milliseconds",
  date: "string, YYYY-MM-DD, UTC",
  integer: "number",
  number: "number",
  json: "JSON value",
};

class NdjsonEncoder implements PartEncoder {
  readonly #kinds: readonly ColumnKind[];
  readonly #names: readonly string[];
  readonly #lines = new TextBuffer();

  constructor(columns: readonly Column[]) {
    this.#kinds = columns.map(({ kind }) => kind);
    this.#names = columns.map(({ name }, index) => `${index === 0 ? "{" : ","}${JSON.stringify(name)}:`);
  }

  add(row: TextRow): void {
    let line = "";
    for (const [index, kind] of this.#kinds.entries()) line += this.#names[index] + member(kind, row[index] ?? null);
    this.#lines.append(`${line}}\n`);
  }

  take(): Uint8Array {
    return this.#lines.take();
  }

  end(): undefined {
    return undefined;
  }
}

function member(kind: ColumnKind, value: string | null): string {
  if (value === null) return "null";
  if (kind === "text") return JSON.stringify(value);
  if (kind === "json") return jsonValue(value);
  if (kind === "date") return `"${utcDayOf(Number(value))}"`;
  // QuestDB writes numbers like Java, such as 1.0E10, which is valid JSON; it returns null for numbers that are not
  // finite.
  return value;
}

/** The text unchanged, so that numbers keep their digits; a line break or invalid JSON would break the file. */
function jsonValue(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return text.includes("\n") || text.includes("\r") ? JSON.stringify(value) : text;
  } catch {
    return JSON.stringify(text);
  }
}
