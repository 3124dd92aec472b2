import { createHash, randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { constants, createZstdCompress } from "node:zlib";
import { type BackedUpFile, type BackupPart, objectName } from "../manifest.ts";
import type { BackupTarget } from "../target/backupTarget.ts";

/** A file to back up: its bytes, and what shows later that it did not change. */
export type Source = Pick<BackedUpFile, "path" | "changedMs" | "inode"> & {
  /** Undefined when the file is gone, which may then be left out. */
  open(): Promise<AsyncIterable<Uint8Array> | undefined>;
};

/** A target while a backup is being written to it. */
export type Writing = {
  readonly target: BackupTarget;
  /** Names of the objects in it. */
  readonly known: Set<string>;
  readonly signal: AbortSignal;
  /** Called with the bytes that were read. */
  readonly onRead: (bytes: number) => void;
  /** Called with the size of each object that is new. */
  readonly onWritten: (bytes: number) => void;
};

/** Stores files as one object, unless the target has it. */
export async function packPart(writing: Writing, name: string, sources: readonly Source[]): Promise<BackupPart> {
  const { target, known, signal } = writing;
  const staged = join(target.staging, randomUUID());
  const files: BackedUpFile[] = [];
  try {
    const compress = createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: level } });
    // Flushed, so that after a power cut no manifest names an empty file.
    const file = createWriteStream(staged, { mode: 0o600, flush: true });
    await pipeline(Readable.from(contentOf(writing, sources, files)), compress, file, { signal });
    const object = objectOf(files);
    if (!known.has(objectName(object))) {
      const { size } = await stat(staged);
      await target.put(objectName(object), staged);
      known.add(objectName(object));
      writing.onWritten(size);
    }
    return { name, object, files };
  } finally {
    await rm(staged, { force: true });
  }
}

/** The object's name: the same files have the same, whatever else is known of them. */
export function objectOf(files: readonly BackedUpFile[]): string {
  const lines = files.map(({ path, bytes, sha256 }) => `${path}\0${bytes}\0${sha256}\n`);
  return createHash("sha256").update(lines.join("")).digest("hex");
}

/** The bytes of all files, one after the other; what they were is added to `files`. */
async function* contentOf(
  { onRead }: Writing,
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
      onRead(piece.length);
      yield piece;
    }
    files.push({ ...source, bytes, sha256: hash.digest("hex") });
  }
}

/** Columns of QuestDB shrink to a sixth at 300 MB a second; higher levels cost more time than they save space. */
const level = 3;
