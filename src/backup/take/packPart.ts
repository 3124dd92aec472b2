import { createHash, randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { constants, createZstdCompress, type ZstdCompress } from "node:zlib";
import { type BackedUpFile, type BackupPart, objectName } from "../manifest.ts";
import type { BackupTarget } from "../target/backupTarget.ts";

/** A file to back up: its bytes, and what later shows that it did not change. */
export type Source = Pick<BackedUpFile, "path" | "changedMs" | "inode"> & {
  /** Undefined if the file is gone; it is then left out. */
  open(): Promise<AsyncIterable<Uint8Array> | undefined>;
};

/** A target to which a backup is being written. */
export type Writing = {
  readonly target: BackupTarget;
  /** The size of each object in it, by name. */
  readonly known: Map<string, number>;
  readonly signal: AbortSignal;
  readonly onProgress: OnProgress;
  /** The bytes of files read, and of new objects. */
  readonly sums: { read: number; written: number };
};

/** Called with the progress, such as "1,204 MB read, 31 MB new". */
export type OnProgress = (text: string) => void;

/** Stores files as one object, unless the target has that already. */
export async function packPart(writing: Writing, name: string, sources: readonly Source[]): Promise<BackupPart> {
  const { target, known, signal } = writing;
  const staged = join(target.staging, randomUUID());
  const files: BackedUpFile[] = [];
  try {
    // Flush: after a power cut no manifest may name an empty file.
    const file = createWriteStream(staged, { mode: 0o600, flush: true });
    const compress = createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: level } });
    await pipeline(() => oneFrame(contentOf(writing, sources, files), compress), compress, file, { signal });
    const { size } = await stat(staged);
    const object = objectOf(files, size);
    // An object of another size is incomplete.
    if (known.get(objectName(object)) !== size) {
      await target.put(objectName(object), staged);
      known.set(objectName(object), size);
      writing.sums.written += size;
    }
    return { name, object, storedBytes: size, files };
  } finally {
    await rm(staged, { force: true });
  }
}

/**
 * Ends only once everything is compressed. If the input ended while pieces wait, zstd would end the frame with the last of them
 * and add an empty frame. The size of an object would then be chance, and a cut in the empty frame would not be noticed.
 */
async function* oneFrame(pieces: AsyncIterable<Uint8Array>, compress: ZstdCompress): AsyncGenerator<Uint8Array> {
  yield* pieces;
  await new Promise<void>((resolve) => compress.flush(constants.ZSTD_e_continue, resolve));
}

/**
 * The object's name. The same files have the same name, whatever else is known of them. Another version may compress them to
 * another size: that is another object, so that the size in earlier manifests stays right.
 */
export function objectOf(files: readonly BackedUpFile[], storedBytes: number): string {
  const lines = files.map(({ path, bytes, sha256 }) => `${path}\0${bytes}\0${sha256}\n`);
  lines.push(`${storedBytes}\n`);
  return createHash("sha256").update(lines.join("")).digest("hex");
}

/** The bytes of all files, one after the other. Adds an entry for each to `files`. */
async function* contentOf(
  { sums, onProgress }: Writing,
  sources: readonly Source[],
  files: BackedUpFile[],
): AsyncGenerator<Uint8Array> {
  for (const { open, ...source } of sources) {
    const pieces = await open();
    if (pieces === undefined) continue;
    const hash = createHash("sha256");
    let bytes = 0;
    for await (const piece of pieces) {
      hash.update(piece);
      bytes += piece.length;
      sums.read += piece.length;
      onProgress(`${megabytes(sums.read)} MB read, ${megabytes(sums.written)} MB new`);
      yield piece;
    }
    files.push({ ...source, bytes, sha256: hash.digest("hex") });
  }
}

function megabytes(bytes: number): string {
  return Math.round(bytes / 1e6).toLocaleString("en");
}

/** Columns of QuestDB shrink to a sixth at 300 MB per second; higher levels cost more time than the space they save is worth. */
const level = 3;
