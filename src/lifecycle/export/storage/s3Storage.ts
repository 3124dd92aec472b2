import { addAbortSignal, Readable } from "node:stream";
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  type S3Client,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import type { ExportBucket } from "../../../config.ts";
import { hasNoKey, newS3Client, s3Refusals } from "../../../store/s3Client.ts";
import type { ByteSpan, ExportStorage } from "./exportStorage.ts";
import { StorageError } from "./storageError.ts";

/** S3 allows 10,000 pieces per file: 160 GB with this size. A few pieces are in memory at a time. */
const pieceBytes = 16 * 1_024 * 1_024;

/** Exports in a bucket of an S3-compatible store. A file appears once all of its pieces are stored. */
export class S3Storage implements ExportStorage {
  readonly #client: S3Client;
  readonly #bucket: string;

  constructor({ name, ...access }: ExportBucket) {
    this.#bucket = name;
    this.#client = newS3Client(access);
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
    const upload = new Upload({
      client: this.#client,
      params: { Bucket: this.#bucket, Key: name, Body: Readable.from(counted(), { objectMode: false }) },
      partSize: pieceBytes,
      queueSize: 1,
    });
    const abandon = (): void => void upload.abort();
    signal.addEventListener("abort", abandon, { once: true });
    try {
      await upload.done();
    } catch (error) {
      signal.throwIfAborted();
      throw readable(error);
    } finally {
      signal.removeEventListener("abort", abandon);
    }
    return size;
  }

  async has(name: string): Promise<boolean> {
    try {
      await this.#client.send(new HeadObjectCommand({ Bucket: this.#bucket, Key: name }));
      return true;
    } catch (error) {
      if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404) return false;
      throw readable(error);
    }
  }

  async *read(name: string, span?: ByteSpan, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
    const range = span === undefined ? {} : { Range: `bytes=${span.start}-${span.end}` };
    const { Body } = await this.#send(() =>
      this.#client.send(new GetObjectCommand({ Bucket: this.#bucket, Key: name, ...range })),
    );
    if (!(Body instanceof Readable)) throw new Error(`the store sent no bytes of ${name}`);
    const bytes = signal === undefined ? Body : addAbortSignal(signal, Body);
    for await (const piece of bytes) yield piece;
  }

  async removeFolder(folder: string): Promise<void> {
    for (;;) {
      const { Contents = [] } = await this.#send(() =>
        this.#client.send(new ListObjectsV2Command({ Bucket: this.#bucket, Prefix: `${folder}/` })),
      );
      if (Contents.length === 0) return;
      const Objects = Contents.map(({ Key }) => ({ Key }));
      const { Errors = [] } = await this.#send(() =>
        this.#client.send(new DeleteObjectsCommand({ Bucket: this.#bucket, Delete: { Objects, Quiet: true } })),
      );
      const [first] = Errors;
      if (first !== undefined) throw new Error(`the store kept ${first.Key}: ${first.Message}`);
    }
  }

  async #send<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw readable(error);
    }
  }
}

function readable(error: unknown): unknown {
  if (hasNoKey(error))
    return new StorageError(
      "There is no key for the bucket of exports. Set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, then start the export again",
      { cause: error },
    );
  if (!(error instanceof S3ServiceException) || !s3Refusals.has(error.$metadata.httpStatusCode ?? 0)) return error;
  return new StorageError(
    `The bucket of exports refuses: ${error.name}. Check the settings S3_* and the rights of their key, then start the export again`,
    { cause: error },
  );
}
