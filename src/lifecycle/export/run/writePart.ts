import type { QuestdbReader } from "../../../store/questdb/questdbReader.ts";
import type { PartEncoder } from "../format/fileFormat.ts";
import { formats } from "../format/formats.ts";
import type { ExportRow } from "../request/exportRow.ts";
import type { ExportStorage } from "../storage/exportStorage.ts";
import { datasetRange } from "./datasetRange.ts";
import type { Dataset } from "./datasets.ts";
import { partEndName, partName } from "./fileNames.ts";
import { type Cursor, readPage } from "./readRows.ts";

/** The rows of a part: at most `limit` after a given row. */
export type PartRequest = { readonly index: number; readonly after: Cursor | null; readonly limit: number };

/** A written part. No row follows the last one. */
export type Part = { readonly rows: number; readonly last: Cursor | null; readonly isLast: boolean };

export type PartTools = { readonly questdb: QuestdbReader; readonly storage: ExportStorage };

/** Rows held at once, and rows of a row group in Parquet: more make smaller files and take more memory. */
const rowsOfPage = { csv: 5_000, json: 5_000, parquet: 10_000 } as const;

/**
 * Writes a part of a dataset to the storage; a repetition replaces it. `onRows` gets the number of rows so far. Rejects
 * with StorageError, and with AbortError when `signal` aborts.
 */
export async function writePart(
  { questdb, storage }: PartTools,
  row: ExportRow,
  dataset: Dataset,
  { index, after, limit }: PartRequest,
  onRows: (rows: number) => void,
  signal: AbortSignal,
): Promise<Part> {
  const encoder = formats[row.format].partEncoder(dataset.columns);
  const range = datasetRange(dataset, row);
  let rows = 0;
  let last = after;
  let isLast = false;
  let pageRows: number = rowsOfPage[row.format];
  async function* pieces(): AsyncGenerator<Uint8Array> {
    while (!isLast && rows < limit) {
      const page = await readPage(
        questdb,
        dataset,
        { websiteId: row.websiteId, range, after: last, limit: Math.min(pageRows, limit - rows) },
        (values) => encoder.add(values),
        signal,
      );
      last = page.last;
      rows += page.rows;
      isLast = page.end === "last";
      // Stopping a read costs more than a short page.
      pageRows = page.end === "size" ? page.rows : Math.min(pageRows * 2, rowsOfPage[row.format]);
      yield encoder.take();
      onRows(rows);
    }
  }
  await storage.write(partName(row.id, dataset.name, index), pieces(), signal);
  await writeEnd(storage, partEndName(row.id, dataset.name, index), encoder, signal);
  return { rows, last, isLast };
}

async function writeEnd(
  storage: ExportStorage,
  name: string,
  encoder: PartEncoder,
  signal: AbortSignal,
): Promise<void> {
  const end = encoder.end();
  if (end === undefined) return;
  async function* whole(): AsyncGenerator<Uint8Array> {
    yield end ?? new Uint8Array();
  }
  await storage.write(name, whole(), signal);
}
