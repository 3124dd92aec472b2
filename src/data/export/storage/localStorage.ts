import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ByteSpan, ExportStorage } from "./exportStorage.ts";
import { StorageError } from "./storageError.ts";

/** Exports in a directory of this machine, which all processes share. */
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
      await mkdir(dirname(path), { recursive: true });
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
      throw isDiskFull(error) ? diskFull(error) : error;
    }
    return size;
  }

  read(name: string, span?: ByteSpan): AsyncIterable<Uint8Array> {
    return createReadStream(join(this.#directory, name), { highWaterMark: 256 * 1_024, ...span });
  }

  async removeFolder(folder: string): Promise<void> {
    await rm(join(this.#directory, folder), { recursive: true, force: true, maxRetries: 3 });
  }
}

function isDiskFull(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOSPC" || error.code === "EDQUOT");
}

function diskFull(cause: unknown): StorageError {
  return new StorageError(
    "The disk that exports are kept on is full. Free some space, or export fewer days, and start the export again",
    { cause },
  );
}
