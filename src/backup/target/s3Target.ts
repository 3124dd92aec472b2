import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import type { S3Access } from "../../config.ts";
import { Bucket, hasNoKey, isRefusal } from "../../store/bucket.ts";
import { isNetworkError } from "../../store/networkErrors.ts";
import { BackupError } from "../backupError.ts";
import type { BackupTarget, StoredFile } from "./backupTarget.ts";

/** A folder of a bucket: `s3://bucket/folder`. */
export type S3Place = { readonly bucket: string; readonly folder: string };

const piecesAtOnce = 2;

/** Backups in a bucket of an S3-compatible store. */
export class S3Target implements BackupTarget {
  readonly place: string;
  readonly staging: string;
  readonly #bucket: Bucket;
  readonly #prefix: string;

  /** `staging` is a directory of this machine. */
  constructor({ bucket, folder }: S3Place, access: S3Access, staging: string) {
    this.place = `s3://${bucket}${folder === "" ? "" : `/${folder}`}`;
    this.staging = staging;
    this.#bucket = new Bucket(bucket, access, (error) => explained(error, this.place));
    this.#prefix = folder === "" ? "" : `${folder}/`;
  }

  async put(name: string, staged: string): Promise<void> {
    await this.#bucket.put(this.#prefix + name, createReadStream(staged), piecesAtOnce);
    await rm(staged, { force: true });
  }

  async putText(name: string, text: string): Promise<void> {
    await this.#bucket.put(this.#prefix + name, text, piecesAtOnce);
  }

  read(name: string): AsyncIterable<Uint8Array> {
    return this.#bucket.read(this.#prefix + name);
  }

  async list(folder: string): Promise<StoredFile[]> {
    const files = await this.#bucket.list(folder === "" ? this.#prefix : `${this.#prefix}${folder}/`, "/");
    return files.map(({ key, bytes }) => ({ name: key.slice(this.#prefix.length), bytes }));
  }

  async remove(names: readonly string[]): Promise<void> {
    await this.#bucket.remove(names.map((name) => this.#prefix + name));
  }
}

function explained(error: unknown, place: string): unknown {
  if (hasNoKey(error))
    return new BackupError(`There is no key for ${place}. Set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.`);
  if (isNetworkError(error)) return new BackupError(`${place} cannot be reached (${error.code}). Check S3_ENDPOINT.`);
  if (!isRefusal(error)) return error;
  return new BackupError(
    `${place} refuses: ${error.name}. Check the name, the settings S3_* and the rights of their key.`,
  );
}
