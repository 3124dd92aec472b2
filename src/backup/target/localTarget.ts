import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { hasCode, whenMissing } from "../../errors/errorCode.ts";
import { BackupError } from "../backupError.ts";
import type { BackupTarget, StoredFile } from "./backupTarget.ts";

/** Bytes per read; larger pieces are not faster. */
const pieceBytes = 256 * 1_024;

/** Backups in a directory of this machine or of a mounted share. */
export class LocalTarget implements BackupTarget {
  readonly place: string;
  readonly staging: string;

  constructor(directory: string) {
    this.place = directory;
    this.staging = join(directory, "unfinished");
  }

  async put(name: string, staged: string): Promise<void> {
    const path = join(this.place, name);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await rename(staged, path);
  }

  async putText(name: string, text: string): Promise<void> {
    const path = join(this.place, name);
    const draft = `${path}.${randomUUID()}`;
    try {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await writeFile(draft, text, { mode: 0o600, flush: true });
      await rename(draft, path);
    } finally {
      await rm(draft, { force: true });
    }
  }

  async *read(name: string): AsyncGenerator<Uint8Array> {
    const path = join(this.place, name);
    try {
      for await (const piece of createReadStream(path, { highWaterMark: pieceBytes })) yield piece;
    } catch (error) {
      if (hasCode(error, "ENOENT"))
        throw new BackupError(`${path} is missing, so this backup is not whole. Name another one with --backup.`);
      throw explained(error, path);
    }
  }

  async list(folder: string): Promise<StoredFile[]> {
    const path = join(this.place, folder);
    const found = await readdir(path).catch((error: unknown) => {
      if (!hasCode(error, "ENOENT")) throw explained(error, path);
    });
    const names = found ?? [];
    const files: StoredFile[] = [];
    for (const name of names) {
      const file = await stat(join(path, name)).catch(whenMissing);
      if (file?.isFile()) files.push({ name: folder === "" ? name : `${folder}/${name}`, bytes: file.size });
    }
    return files;
  }

  async remove(names: readonly string[]): Promise<void> {
    for (const name of names) await rm(join(this.place, name), { force: true });
  }
}

/** The most frequent failure for an operator is a file of another user, such as root. */
function explained(error: unknown, path: string): unknown {
  if (!hasCode(error, "EACCES", "EISDIR", "ENOTDIR", "EIO")) return error;
  return new BackupError(
    `Cannot read ${path} (${error instanceof Error ? error.message : error}). Correct that, or its owner and rights.`,
  );
}
