import { createHash, type Hash } from "node:crypto";
import { Readable } from "node:stream";
import type { ExportRow } from "../exportRow.ts";
import type { PackedArchive } from "../exportRun.ts";
import { formats } from "../format/formats.ts";
import type { ExportStorage } from "../storage/exportStorage.ts";
import { archiveName } from "../storage/fileNames.ts";
import { type ArchivedFile, type ExportedWebsite, manifest } from "./manifest.ts";
import { planFiles, type WrittenDataset } from "./planFiles.ts";
import { readFile } from "./readFile.ts";
import { type ZipEntry, zipArchive } from "./zipArchive.ts";

export type PackRequest = {
  readonly row: ExportRow;
  readonly website: ExportedWebsite;
  readonly written: readonly WrittenDataset[];
  readonly partRows: number;
};

/**
 * Packs the parts of an export into one ZIP archive: a file for each dataset, and
 * manifest.json. Repeating it replaces the archive. `onRows` gets the number of rows packed so far. Rejects with
 * StorageError, and with AbortError when `signal` aborts.
 */
export async function packArchive(
  storage: ExportStorage,
  { row, website, written, partRows }: PackRequest,
  onRows: (rows: number) => void,
  signal: AbortSignal,
): Promise<PackedArchive> {
  const archived: ArchivedFile[] = [];
  const rowsTotal = written.reduce((sum, { rows }) => sum + rows, 0);
  let parts = 0;
  // The last part of a dataset may be short.
  const onPart = (): void => onRows(Math.min(++parts * partRows, rowsTotal));
  const { isDeflated } = formats[row.format];
  const entries = planFiles(row.format, written, partRows).map((file): ZipEntry => {
    const bytes = () => readFile(storage, row, file, onPart, (done) => archived.push(done));
    return { name: file.name, isDeflated, bytes };
  });
  // Read last, so that it knows all files.
  const bytes = () => Readable.from([Buffer.from(`${JSON.stringify(manifest(row, website, archived), null, 2)}\n`)]);
  entries.push({ name: "manifest.json", isDeflated, bytes });
  const hash = createHash("sha256");
  const archive = hashed(zipArchive(entries, new Date(row.createdMs)), hash);
  const size = await storage.write(archiveName(row.id), archive, signal);
  return { bytes: size, sha256: hash.digest("hex") };
}

async function* hashed(bytes: AsyncIterable<Uint8Array>, hash: Hash): AsyncGenerator<Uint8Array> {
  for await (const piece of bytes) {
    hash.update(piece);
    yield piece;
  }
}
