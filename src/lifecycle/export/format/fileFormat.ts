import type { TextRow } from "../../../store/questdb/questdbReader.ts";
import type { Column } from "../run/datasets.ts";

/**
 * Encodes a part: some rows of a file. A file is its head, the bytes of its parts in order, and its tail, so a part can
 * be encoded without those before it.
 */
export interface PartEncoder {
  add(row: TextRow): void;
  /** The bytes of the rows added since the last call. */
  take(): Uint8Array;
  /** What the file's tail needs to know of this part, after all rows were taken; undefined if `hasEnds` is false. */
  end(): Uint8Array | undefined;
}

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
  partEncoder(columns: readonly Column[]): PartEncoder;
  head(columns: readonly Column[]): Uint8Array;
  /** Whether the tail needs the `end` of each part, in order. */
  readonly hasEnds: boolean;
  tail(columns: readonly Column[], ends: readonly Uint8Array[]): Uint8Array;
};
