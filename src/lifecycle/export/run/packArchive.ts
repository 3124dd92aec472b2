import { createHash, type Hash } from "node:crypto";
import { Readable } from "node:stream";
import { ZipFile } from "yazl";
import { formats } from "../format/formats.ts";
import type { ExportRow } from "../request/exportRow.ts";
import type { ExportStorage } from "../storage/exportStorage.ts";
import { archiveName } from "./fileNames.ts";
import { type ArchivedFile, type ExportedWebsite, manifest } from "./manifest.ts";
import { planFiles, type WrittenDataset } from "./planFiles.ts";
import { readFile } from "./readFile.ts";

/** The size and the SHA-256 (hexadecimal) of an archive. */
export type PackedArchive = { readonly bytes: number; readonly sha256: string };

export type PackRequest = {
  readonly row: ExportRow;
  readonly website: ExportedWebsite;
  readonly written: readonly WrittenDataset[];
  readonly partRows: number;
};

/** Higher levels are hardly smaller and much slower for such texts. */
const compressionLevel = 3;

/**
 * Packs the parts of an export into one ZIP archive (with ZIP64 if it is large): a file for each dataset, and
 * manifest.json. Repeating it replaces the archive. `onRows` gets the number of rows packed so far. Rejects with
 * StorageError, and with AbortError when `signal` aborts.
 */
export async function packArchive(
  storage: ExportStorage,
  { row, website, written, partRows }: PackRequest,
  onRows: (rows: number) => void,
  signal: AbortSignal,
): Promise<PackedArchive> {
  const zip = new ZipFile();
  const output = Readable.from(zip.outputStream, { objectMode: false });
  const sources = new Set<Readable>();
  const options = {
    mtime: new Date(row.createdMs),
    ...(formats[row.format].isDeflated ? { compressionLevel } : { compress: false }),
  };
  const add = (name: string, bytes: () => AsyncGenerator<Uint8Array>): void => {
    // Opened lazily, so that only one file is open at a time. The library ignores errors of its sources.
    zip.addReadStreamLazy(name, options, (done) => {
      const source = Readable.from(bytes(), { objectMode: false });
      sources.add(source);
      source.once("error", (error) => output.destroy(error));
      source.once("close", () => sources.delete(source));
      done(null, source);
    });
  };
  const archived: ArchivedFile[] = [];
  const rowsTotal = written.reduce((sum, { rows }) => sum + rows, 0);
  let parts = 0;
  // The last part of a dataset may be short.
  const onPart = (): void => onRows(Math.min(++parts * partRows, rowsTotal));
  for (const file of planFiles(row.format, written, partRows))
    add(file.name, () => readFile(storage, row, file, onPart, (done) => archived.push(done)));
  add("manifest.json", () => whole(`${JSON.stringify(manifest(row, website, archived), null, 2)}\n`));
  zip.end();
  const hash = createHash("sha256");
  try {
    const bytes = await storage.write(archiveName(row.id), hashed(output, hash), signal);
    return { bytes, sha256: hash.digest("hex") };
  } finally {
    output.destroy();
    for (const source of sources) source.destroy();
  }
}

async function* hashed(bytes: AsyncIterable<Uint8Array>, hash: Hash): AsyncGenerator<Uint8Array> {
  for await (const piece of bytes) {
    hash.update(piece);
    yield piece;
  }
}

async function* whole(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
