import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import { Readable } from "node:stream";
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import type { S3Access } from "../../config.ts";
import { isNetworkError } from "../../store/networkErrors.ts";
import { hasNoKey, newS3Client, s3Refusals } from "../../store/s3Client.ts";
import { BackupError } from "../backupError.ts";
import type { BackupTarget, StoredFile } from "./backupTarget.ts";

/** S3 allows 10,000 pieces per file, which is 160 GB with this size. */
const pieceBytes = 16 * 1_024 * 1_024;

/** S3 removes at most this many files at once. */
const removedAtOnce = 1_000;

/** A folder of a bucket: `s3://bucket/folder`. */
export type S3Place = { readonly bucket: string; readonly folder: string };

/** Backups in a bucket of an S3-compatible store. A file appears once all of its pieces are stored. */
export class S3Target implements BackupTarget {
  readonly place: string;
  readonly staging: string;
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #prefix: string;

  /** `staging` is a directory of this machine. */
  constructor({ bucket, folder }: S3Place, access: S3Access, staging: string) {
    this.place = `s3://${bucket}${folder === "" ? "" : `/${folder}`}`;
    this.staging = staging;
    this.#client = newS3Client(access);
    this.#bucket = bucket;
    this.#prefix = folder === "" ? "" : `${folder}/`;
  }

  async put(name: string, staged: string): Promise<void> {
    const params = { Bucket: this.#bucket, Key: this.#prefix + name, Body: createReadStream(staged) };
    await this.#send(() => new Upload({ client: this.#client, params, partSize: pieceBytes, queueSize: 2 }).done());
    await rm(staged, { force: true });
  }

  async putText(name: string, text: string): Promise<void> {
    const command = new PutObjectCommand({ Bucket: this.#bucket, Key: this.#prefix + name, Body: text });
    await this.#send(() => this.#client.send(command));
  }

  async *read(name: string): AsyncGenerator<Uint8Array> {
    const command = new GetObjectCommand({ Bucket: this.#bucket, Key: this.#prefix + name });
    const { Body } = await this.#send(() => this.#client.send(command));
    if (!(Body instanceof Readable)) throw new Error(`the store sent no bytes of ${name}`);
    for await (const piece of Body) yield piece;
  }

  async list(folder: string): Promise<StoredFile[]> {
    const inside = folder === "" ? this.#prefix : `${this.#prefix}${folder}/`;
    const files: StoredFile[] = [];
    let next: string | undefined;
    do {
      const command = new ListObjectsV2Command({
        Bucket: this.#bucket,
        Prefix: inside,
        Delimiter: "/",
        ...(next === undefined ? {} : { ContinuationToken: next }),
      });
      const { Contents = [], NextContinuationToken } = await this.#send(() => this.#client.send(command));
      for (const { Key, Size } of Contents)
        if (Key !== undefined) files.push({ name: Key.slice(this.#prefix.length), bytes: Size ?? 0 });
      next = NextContinuationToken;
    } while (next !== undefined);
    return files;
  }

  async remove(names: readonly string[]): Promise<void> {
    for (let from = 0; from < names.length; from += removedAtOnce) {
      const Objects = names.slice(from, from + removedAtOnce).map((name) => ({ Key: this.#prefix + name }));
      const command = new DeleteObjectsCommand({ Bucket: this.#bucket, Delete: { Objects, Quiet: true } });
      const { Errors = [] } = await this.#send(() => this.#client.send(command));
      const [first] = Errors;
      if (first !== undefined) throw new Error(`the store kept ${first.Key}: ${first.Message}`);
    }
  }

  async #send<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (hasNoKey(error))
        throw new BackupError(`There is no key for ${this.place}. Set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.`);
      if (isNetworkError(error))
        throw new BackupError(`${this.place} cannot be reached (${error.code}). Check S3_ENDPOINT.`);
      if (!(error instanceof S3ServiceException) || !s3Refusals.has(error.$metadata.httpStatusCode ?? 0)) throw error;
      throw new BackupError(
        `${this.place} refuses: ${error.name}. Check the name, the settings S3_* and the rights of their key.`,
      );
    }
  }
}
