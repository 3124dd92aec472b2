import type { Column } from "../dataset.ts";
import type { CsvScanner } from "./csvScanner.ts";

/** How the files of an export are written. */
export type FileFormat = {
  /** The extension of file names, without a dot. */
  readonly extension: string;
  /** Whether the archive compresses it; useless for formats that are compressed already. */
  readonly isDeflated: boolean;
  /** Further rows go to another file, for formats whose file is finished in memory. */
  readonly maxRowsOfFile: number;
  /** A remark for readers of the files, in the manifest. */
  readonly note: string;
  /** The manifest's name of a column's type. */
  typeName(column: Column): string;
  /**
   * Encodes a part: some rows of a file. A file is its head, the bytes of its parts in order, and its tail, so a part can be
   * encoded without those before it. `rows` yields one scanner, refilled each time; rows have the columns plus two cursor fields.
   * `onEnd` gets what the file's tail needs to know of this part, if `hasEnds`.
   */
  encode(
    columns: readonly Column[],
    rows: AsyncIterable<CsvScanner>,
    onEnd: (end: Uint8Array) => void,
  ): AsyncIterable<Uint8Array>;
  head(columns: readonly Column[]): Uint8Array;
  /** Whether the tail needs the `end` of each part, in order. */
  readonly hasEnds: boolean;
  tail(columns: readonly Column[], ends: readonly Uint8Array[]): Uint8Array;
};
