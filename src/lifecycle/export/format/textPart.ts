import type { CsvScanner } from "./csvScanner.ts";
import { TextBuffer } from "./textBuffer.ts";

/** Larger pieces are not written faster. */
const pieceBytes = 262_144;

/** The bytes of a part in a text format; `write` writes the rows that were just scanned. */
export async function* textPart(
  rows: AsyncIterable<CsvScanner>,
  write: (rows: CsvScanner, out: TextBuffer) => void,
): AsyncGenerator<Uint8Array> {
  const out = new TextBuffer();
  for await (const scanned of rows) {
    write(scanned, out);
    if (out.length >= pieceBytes) yield out.take();
  }
  yield out.take();
}
