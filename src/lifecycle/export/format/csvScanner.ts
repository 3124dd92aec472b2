/** What a field holds, as bits. */
export const mark = {
  /** It is a text. A field that is none is a number, or null if it is empty. */
  text: 1,
  /** Quotes, each of which is written twice. */
  quote: 2,
  /** A comma. */
  comma: 4,
  /** A backslash: QuestDB writes control characters and backslashes like JSON. */
  escape: 8,
} as const;

const [quote, comma, carriageReturn] = [0x22, 0x2c, 0x0d];

/** The marks of each byte. */
const marksOfByte = new Uint8Array(256);
marksOfByte[comma] = mark.comma;
marksOfByte[0x5c] = mark.escape;

const firstBytes = 262_144;

/**
 * Finds the fields of CSV as QuestDB writes it (readCsv.ts) in bytes, without making anything of them: most fields of an
 * export are copied from there to a file as they are.
 *
 * After each `push` it describes the rows that are complete by then, until the next `push`: fields are numbered through
 * all rows, each row has `width` of them. `starts` and `ends` are their places in `bytes`, without quotes.
 */
export class CsvScanner {
  readonly width: number;
  bytes: Buffer = Buffer.allocUnsafeSlow(firstBytes);
  view = new DataView(this.bytes.buffer);
  starts = new Int32Array(firstBytes);
  ends = new Int32Array(firstBytes);
  marks = new Uint8Array(firstBytes);
  rows = 0;
  /** Where the first incomplete row begins. */
  end = 0;
  #length = 0;

  constructor(width: number) {
    this.width = width;
  }

  push(piece: Uint8Array): void {
    this.bytes.copyWithin(0, this.end, this.#length);
    this.#length -= this.end;
    this.#reserve(this.#length + piece.length);
    this.bytes.set(piece, this.#length);
    this.#length += piece.length;
    this.#scan();
  }

  /** Whether the last row is not complete. */
  get hasRest(): boolean {
    return this.end < this.#length;
  }

  /** A field as a text, null if it is null. */
  text(field: number): string | null {
    const [start = 0, end = 0, marks = 0] = [this.starts[field], this.ends[field], this.marks[field]];
    if (start === end && (marks & mark.text) === 0) return null;
    const text = this.bytes.toString("utf8", start, end);
    if ((marks & mark.escape) !== 0) return JSON.parse(`"${text.replaceAll('""', '\\"')}"`);
    return (marks & mark.quote) === 0 ? text : text.replaceAll('""', '"');
  }

  #scan(): void {
    const { bytes, starts, ends, marks } = this;
    const length = this.#length;
    let at = 0;
    let field = 0;
    this.rows = 0;
    this.end = 0;
    while (at < length) {
      let found = 0;
      let start = at;
      if (bytes[at] === quote) {
        found = mark.text;
        start = ++at;
        for (; at < length; at += 1) {
          const byte = bytes[at] ?? 0;
          if (byte !== quote) found |= marksOfByte[byte] ?? 0;
          else if (bytes[at + 1] === quote && at + 1 < length) {
            found |= mark.quote;
            at += 1;
          } else break;
        }
        ends[field] = at;
        at += 1;
      } else {
        while (at < length && bytes[at] !== comma && bytes[at] !== carriageReturn) at += 1;
        ends[field] = at;
      }
      starts[field] = start;
      marks[field] = found;
      // What follows the last byte may change what it means.
      if (at + 1 >= length) return;
      field += 1;
      if (bytes[at] === comma) {
        at += 1;
        continue;
      }
      at += 2;
      this.rows += 1;
      if (field !== this.rows * this.width) throw new Error(`a row of QuestDB has not ${this.width} fields`);
      this.end = at;
    }
  }

  #reserve(bytes: number): void {
    // Bytes are copied from here by four (textBuffer.ts).
    if (bytes + 3 <= this.bytes.length) return;
    const size = Math.max(bytes + 3, this.bytes.length * 2);
    const larger = Buffer.allocUnsafeSlow(size);
    this.bytes.copy(larger, 0, 0, this.#length);
    this.bytes = larger;
    this.view = new DataView(larger.buffer);
    // Each field takes a byte at least, that of its separator.
    this.starts = new Int32Array(size);
    this.ends = new Int32Array(size);
    this.marks = new Uint8Array(size);
  }
}
