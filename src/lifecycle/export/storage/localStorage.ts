import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { hasCode } from "../../../errors/errorCode.ts";
import type { ByteSpan, ExportStorage } from "./exportStorage.ts";
import { StorageError } from "./storageError.ts";

/** Read size: larger pieces are not faster, smaller ones are slower. */
const pieceBytes = 256 * 1_024;

/** Exports in a directory of this machine. */
export class LocalStorage implements ExportStorage {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  async write(name: string, bytes: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<number> {
    const path = join(this.#directory, name);
    const unfinished = `${path}.${randomUUID()}.tmp`;
    let size = 0;
    try {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const file = await open(unfinished, "wx", 0o600);
      try {
        for await (const piece of bytes) {
          signal.throwIfAborted();
          await file.writeFile(piece);
          size += piece.length;
        }
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(unfinished, path);
    } catch (error) {
      await rm(unfinished, { force: true }).catch(() => undefined);
      throw readable(error);
    }
    return size;
  }

  async has(name: string): Promise<boolean> {
    try {
      return (await stat(join(this.#directory, name))).isFile();
    } catch (error) {
      if (hasCode(error, "ENOENT")) return false;
      throw error;
    }
  }

  async *read(name: string, span?: ByteSpan, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
    try {
      const file = createReadStream(join(this.#directory, name), {
        highWaterMark: pieceBytes,
        ...span,
        ...(signal === undefined ? {} : { signal }),
      });
      for await (const piece of file) yield piece;
    } catch (error) {
      throw hasCode(error, "ENOENT") ? fileGone(error) : error;
    }
  }

  async removeFolder(folder: string): Promise<void> {
    await rm(join(this.#directory, folder), { recursive: true, force: true, maxRetries: 3 });
  }
}

function readable(error: unknown): unknown {
  if (hasCode(error, "ENOSPC", "EDQUOT"))
    return new StorageError(
      "The disk that exports are kept on is full. Free some space, or export fewer days, and start the export again",
      { cause: error },
    );
  if (hasCode(error, "EACCES", "EPERM", "EROFS"))
    return new StorageError("The directory of exports (DATA_DIR/exports) cannot be written. Mend its rights", {
      cause: error,
    });
  return error;
}

function fileGone(cause: unknown): StorageError {
  return new StorageError("A file of this export is missing. Start the export again", { cause });
}
