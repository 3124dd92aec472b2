import { Readable } from "node:stream";
import type { Dataset } from "../dataset.ts";
import type { ExportRow } from "../exportRow.ts";
import type { CsvScanner } from "../format/csvScanner.ts";
import { formats } from "../format/formats.ts";
import type { ExportStorage } from "../storage/exportStorage.ts";
import { partEndName, partName } from "../storage/fileNames.ts";
import type { Cursor } from "./cursor.ts";
import { datasetRange } from "./datasetRange.ts";
import { lastOf, type RowSources, readRows } from "./readRows.ts";

/** The rows of a part: at most `limit` after a given row. */
export type PartRequest = { readonly index: number; readonly after: Cursor | null; readonly limit: number };

/** A written part. No row follows the last one. */
export type Part = { readonly rows: number; readonly last: Cursor | null; readonly isLast: boolean };

export type PartTools = { readonly sources: RowSources; readonly storage: ExportStorage };

/**
 * Writes a part of a dataset to the storage; a repetition replaces it. `onRows` gets the number of rows so far. Rejects
 * with StorageError, and with AbortError when `signal` aborts.
 */
export async function writePart(
  { sources, storage }: PartTools,
  row: ExportRow,
  dataset: Dataset,
  { index, after, limit }: PartRequest,
  onRows: (rows: number) => void,
  signal: AbortSignal,
): Promise<Part> {
  const { encode, hasEnds } = formats[row.format];
  const range = datasetRange(dataset, row);
  let rows = 0;
  let last = after;
  async function* reading(): AsyncGenerator<CsvScanner> {
    const wanted = { websiteId: row.websiteId, range, after, limit };
    for await (const scanner of readRows(sources, dataset, wanted, signal)) {
      rows += scanner.rows;
      last = lastOf(scanner);
      yield scanner;
      onRows(rows);
    }
  }
  let end: Uint8Array = new Uint8Array();
  const pieces = encode(dataset.columns, reading(), (bytes) => {
    end = bytes;
  });
  await storage.write(partName(row.id, dataset.name, index), pieces, signal);
  if (hasEnds) await storage.write(partEndName(row.id, dataset.name, index), Readable.from([end]), signal);
  return { rows, last, isLast: rows < limit };
}
