import type { TextRow } from "../../../store/questdb/questdbReader.ts";
import type { Column } from "../run/datasets.ts";

/**
 * Makes the bytes of a part, some rows of a file. A file is its head, the bytes of its parts in order, and its tail; so a part can be made
 * without knowing those before it.
 */
export interface PartEncoder {
  add(row: TextRow): void;
  /** The bytes of the rows that were added since the last call. */
  take(): Uint8Array;
  /** What the tail of the file needs to know of this part, once all rows are taken; undefined where `hasEnds` is false. */
  end(): Uint8Array | undefined;
}

/** How the files of an export are written. */
export type FileFormat = {
  /** Of the file names, without a dot. */
  readonly extension: string;
  /** Whether the archive deflates it; useless for what is compressed already. */
  readonly isDeflated: boolean;
  /** More rows go to a further file, where a file has to be finished in memory. */
  readonly maxRowsOfFile: number;
  /** What a reader of the files should know, for the manifest. */
  readonly note: string;
  /** How the manifest calls the type of a column. */
  typeName(column: Column): string;
  partEncoder(columns: readonly Column[]): PartEncoder;
  head(columns: readonly Column[]): Uint8Array;
  /** Whether the tail needs what the parts said at their ends, in order. */
  readonly hasEnds: boolean;
  tail(columns: readonly Column[], ends: readonly Uint8Array[]): Uint8Array;
};
