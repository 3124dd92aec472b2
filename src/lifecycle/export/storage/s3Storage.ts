import { Readable } from "node:stream";
import type { ExportBucket } from "../../../config.ts";
import { Bucket, hasNoKey, isRefusal } from "../../../store/bucket.ts";
import type { ByteSpan, ExportStorage } from "./exportStorage.ts";
import { StorageError } from "./storageError.ts";

/** Exports in a bucket of an S3-compatible store. */
export class S3Storage implements ExportStorage {
  readonly #bucket: Bucket;

  constructor({ name, ...access }: ExportBucket) {
    this.#bucket = new Bucket(name, access, readable);
  }

  async write(name: string, bytes: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<number> {
    let size = 0;
    async function* counted(): AsyncGenerator<Uint8Array> {
      for await (const piece of bytes) {
        signal.throwIfAborted();
        size += piece.length;
        yield piece;
      }
    }
    await this.#bucket.put(name, Readable.from(counted(), { objectMode: false }), 1, signal);
    return size;
  }

  has(name: string): Promise<boolean> {
    return this.#bucket.has(name);
  }

  read(name: string, span?: ByteSpan, signal?: AbortSignal): AsyncIterable<Uint8Array> {
    return this.#bucket.read(name, span, signal);
  }

  async removeFolder(folder: string): Promise<void> {
    for (;;) {
      const files = await this.#bucket.list(`${folder}/`);
      if (files.length === 0) return;
      await this.#bucket.remove(files.map(({ key }) => key));
    }
  }
}

function readable(error: unknown): unknown {
  if (hasNoKey(error))
    return new StorageError(
      "There is no key for the bucket of exports. Set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, then start the export again",
      { cause: error },
    );
  if (!isRefusal(error)) return error;
  return new StorageError(
    `The bucket of exports refuses: ${error.name}. Check the settings S3_* and the rights of their key, then start the export again`,
    { cause: error },
  );
}
