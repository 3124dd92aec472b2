import { mkdir, readdir, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import type { Config } from "../src/config.ts";
import { StackError } from "./error.ts";

/** Free bytes that a directory needs: an empty one, and one in use. */
export type Room = Pick<Config["stack"], "firstFreeBytes" | "minFreeBytes">;

/** Creates the directory and checks that it has room. Rejects with a StackError that names the setting. */
export async function prepareDirectory(
  setting: string,
  directory: string,
  { firstFreeBytes, minFreeBytes }: Room,
  mode = 0o777,
): Promise<void> {
  let isEmpty: boolean;
  try {
    await makeDirectory(directory, mode);
    isEmpty = (await readdir(directory)).length === 0;
  } catch (error) {
    throw notMade(setting, directory, error);
  }
  const { bavail, bsize } = await statfs(directory);
  const freeBytes = bavail * bsize;
  const neededBytes = isEmpty ? firstFreeBytes : minFreeBytes;
  if (freeBytes < neededBytes)
    throw new StackError(
      `Only ${mebibytes(freeBytes)} MiB are free at ${directory}, ${mebibytes(neededBytes)} MiB are needed. ` +
        `Free some space or set ${setting} to a directory on another disk.`,
    );
}

/**
 * Creates a directory with its parents. Not with `recursive`: in Node 24 that retries forever below an existing directory which
 * takes no directories, such as /proc.
 */
async function makeDirectory(directory: string, mode: number): Promise<void> {
  try {
    await mkdir(directory, { mode });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return;
    if (code !== "ENOENT" || dirname(directory) === directory) throw error;
    await makeDirectory(dirname(directory), mode);
    await mkdir(directory, { mode });
  }
}

function notMade(setting: string, directory: string, error: unknown): StackError {
  const reason = error instanceof Error ? error.message : String(error);
  return new StackError(`Cannot make ${directory} (${reason}). Set ${setting} to a directory you may write to.`);
}

function mebibytes(bytes: number): number {
  return Math.floor(bytes / 1_048_576);
}
