import { utcDayOf } from "../../../time/utcDay.ts";
import type { ColumnKind } from "../dataset.ts";
import { type CsvScanner, mark } from "./csvScanner.ts";
import type { FileFormat } from "./fileFormat.ts";
import { bytesOf, type TextBuffer } from "./textBuffer.ts";
import { textPart } from "./textPart.ts";

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
  encode(columns, rows) {
    const kinds = columns.map(({ kind }) => kind);
    return textPart(rows, (scanned, out) => writeRows(kinds, scanned, out));
  },
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

/** Bytes with which a text may begin like a formula: apostrophe, = + - @, the first of the full-width forms. */
const suspects = new Set(Buffer.from("'=+-@＝"));

/** Whether a text that begins with the byte is looked at as a text. */
const isSuspect = Uint8Array.from({ length: 256 }, (_, byte) => (suspects.has(byte) ? 1 : 0));

const [comma, lineEnd, space] = [bytesOf(","), bytesOf("\r\n"), 0x20];

/** QuestDB writes fields like this format, but quotes all texts. */
function writeRows(kinds: readonly ColumnKind[], scanned: CsvScanner, out: TextBuffer): void {
  const { bytes, view, starts, ends, marks } = scanned;
  for (let row = 0; row < scanned.rows; row += 1) {
    for (let column = 0; column < kinds.length; column += 1) {
      const at = row * scanned.width + column;
      const [start, end, marked] = [starts[at] ?? 0, ends[at] ?? 0, marks[at] ?? 0];
      const kind = kinds[column] ?? "text";
      if (column > 0) out.copy(comma.view, 0, comma.length);
      if ((marked & mark.text) === 0) {
        if (kind === "timestamp" || kind === "date") out.append(textField(kind, scanned.text(at)));
        else out.copy(view, start, end);
      } else if ((marked & mark.escape) !== 0 || (isSuspect[bytes[start] ?? 0] === 1 && start < end))
        out.append(textField(kind, scanned.text(at)));
      else if (
        start === end ||
        (marked & (mark.quote | mark.comma)) !== 0 ||
        bytes[start] === space ||
        bytes[end - 1] === space
      )
        out.copy(view, start - 1, end + 1);
      else out.copy(view, start, end);
    }
    out.copy(lineEnd.view, 0, lineEnd.length);
  }
}

function textField(kind: ColumnKind, value: string | null): string {
  if (value === null) return "";
  if (kind === "timestamp") return new Date(Number(value)).toISOString();
  if (kind === "date") return utcDayOf(Number(value));
  const safe = formulaStart.test(value) ? `'${value}` : value;
  return safe === "" || needsQuotes.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
