import { utcDayOf } from "../../../time/utcDay.ts";
import type { ColumnKind } from "../dataset.ts";
import { type CsvScanner, mark } from "./csvScanner.ts";
import type { FileFormat } from "./fileFormat.ts";
import { bytesOf, type TextBuffer } from "./textBuffer.ts";
import { textPart } from "./textPart.ts";

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
  encode(columns, rows) {
    const members = columns.map(({ name, kind }, index): Member => {
      return { kind, name: bytesOf(`${index === 0 ? "{" : ","}${JSON.stringify(name)}:`) };
    });
    return textPart(rows, (scanned, out) => writeRows(members, scanned, out));
  },
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

/** A member of each object, with its name as bytes. */
type Member = { readonly kind: ColumnKind; readonly name: ReturnType<typeof bytesOf> };

const [none, lineEnd] = [bytesOf("null"), bytesOf("}\n")];

/** A text without quotes, backslashes and control characters is the same in CSV and JSON. */
const escaped = mark.quote | mark.escape;

function writeRows(members: readonly Member[], scanned: CsvScanner, out: TextBuffer): void {
  const { view, starts, ends, marks } = scanned;
  for (let row = 0; row < scanned.rows; row += 1) {
    let at = row * scanned.width;
    for (const { kind, name } of members) {
      const [start, end, marked] = [starts[at] ?? 0, ends[at] ?? 0, marks[at] ?? 0];
      out.copy(name.view, 0, name.length);
      if ((marked & mark.text) === 0) {
        if (start === end) out.copy(none.view, 0, none.length);
        // QuestDB writes numbers like Java, such as 1.0E10, which is valid JSON; it returns null for numbers that are not finite.
        else if (kind !== "date") out.copy(view, start, end);
        else out.append(`"${utcDayOf(Number(scanned.text(at)))}"`);
      } else if (kind === "json") out.append(jsonValue(scanned.text(at) ?? ""));
      else if ((marked & escaped) === 0) out.copy(view, start - 1, end + 1);
      else out.append(JSON.stringify(scanned.text(at)));
      at += 1;
    }
    out.copy(lineEnd.view, 0, lineEnd.length);
  }
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
