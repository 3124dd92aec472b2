import { addAbortSignal, Readable } from "node:stream";
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  S3Client,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import type { S3Access } from "../config.ts";

/** S3 allows 10,000 pieces per file, which is 160 GB with this size. */
const pieceBytes = 16 * 1_024 * 1_024;

/** S3 removes at most this many files at once. */
const removedAtOnce = 1_000;

/** A file of a bucket and its size in bytes. */
type ListedFile = { readonly key: string; readonly bytes: number };

/**
 * A bucket of an S3-compatible store. Its library takes some 40 MB, so load this file only when there is a bucket. Methods reject
 * with what `explain` makes of the store's errors.
 */
export class Bucket {
  readonly #client: S3Client;
  readonly #name: string;
  readonly #explain: (error: unknown) => unknown;

  constructor(name: string, { endpoint, region, keys }: S3Access, explain: (error: unknown) => unknown) {
    this.#name = name;
    this.#explain = explain;
    this.#client = new S3Client({
      region,
      // Many stores do not support optional checksums.
      requestChecksumCalculation: "WHEN_REQUIRED",
      responseChecksumValidation: "WHEN_REQUIRED",
      // Stores other than AWS seldom have a host name per bucket.
      ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
      ...(keys === undefined ? {} : { credentials: keys }),
    });
  }

  /** Stores a file, which appears once all of its pieces are stored; `piecesAtOnce` of them are in memory. */
  async put(key: string, content: Readable | string, piecesAtOnce: number, signal?: AbortSignal): Promise<void> {
    const params = { Bucket: this.#name, Key: key, Body: content };
    const upload = new Upload({ client: this.#client, params, partSize: pieceBytes, queueSize: piecesAtOnce });
    const abandon = (): void => void upload.abort();
    signal?.addEventListener("abort", abandon, { once: true });
    try {
      await this.#explained(upload.done());
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    } finally {
      signal?.removeEventListener("abort", abandon);
    }
  }

  async has(key: string): Promise<boolean> {
    try {
      await this.#client.send(new HeadObjectCommand({ Bucket: this.#name, Key: key }));
      return true;
    } catch (error) {
      if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404) return false;
      throw this.#explain(error);
    }
  }

  /** The bytes of a file; with a span those from `start` to `end`, both included. */
  async *read(
    key: string,
    span?: { readonly start: number; readonly end: number },
    signal?: AbortSignal,
  ): AsyncGenerator<Uint8Array> {
    const range = span === undefined ? {} : { Range: `bytes=${span.start}-${span.end}` };
    const command = new GetObjectCommand({ Bucket: this.#name, Key: key, ...range });
    const { Body } = await this.#explained(this.#client.send(command));
    if (!(Body instanceof Readable)) throw new Error(`the store sent no bytes of ${key}`);
    yield* signal === undefined ? Body : addAbortSignal(signal, Body);
  }

  /** The files whose keys begin with a prefix; with a delimiter only those without it in the rest of their keys. */
  async list(prefix: string, delimiter?: "/"): Promise<ListedFile[]> {
    const files: ListedFile[] = [];
    let next: string | undefined;
    do {
      const page = { Bucket: this.#name, Prefix: prefix, Delimiter: delimiter, ContinuationToken: next };
      const found = await this.#explained(this.#client.send(new ListObjectsV2Command(page)));
      for (const { Key: key, Size: bytes = 0 } of found.Contents ?? [])
        if (key !== undefined) files.push({ key, bytes });
      next = found.NextContinuationToken;
    } while (next !== undefined);
    return files;
  }

  /** Missing files are ignored. */
  async remove(keys: readonly string[]): Promise<void> {
    for (let from = 0; from < keys.length; from += removedAtOnce) {
      const Objects = keys.slice(from, from + removedAtOnce).map((Key) => ({ Key }));
      const command = new DeleteObjectsCommand({ Bucket: this.#name, Delete: { Objects, Quiet: true } });
      const { Errors = [] } = await this.#explained(this.#client.send(command));
      const [first] = Errors;
      if (first !== undefined) throw new Error(`the store kept ${first.Key}: ${first.Message}`);
    }
  }

  async #explained<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      throw this.#explain(error);
    }
  }
}

/** Whether a request could not be signed: no key is set, and this machine has none. */
export function hasNoKey(error: unknown): boolean {
  return error instanceof Error && error.name === "CredentialsProviderError";
}

/** S3's answers to wrong keys or a wrong bucket; retrying is useless. */
export function isRefusal(error: unknown): error is S3ServiceException {
  return error instanceof S3ServiceException && refusals.has(error.$metadata.httpStatusCode ?? 0);
}

const refusals: ReadonlySet<number> = new Set([400, 401, 403, 404]);
