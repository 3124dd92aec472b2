import { mkdir, statfs } from "node:fs/promises";
import { StackError } from "./error.ts";

/** Makes the directory and checks that it has room. Rejects with a StackError that names the setting. */
export async function prepareDirectory(
  setting: string,
  directory: string,
  minFreeBytes: number,
  mode = 0o777,
): Promise<void> {
  try {
    await mkdir(directory, { recursive: true, mode });
  } catch (error) {
    throw notMade(setting, directory, error);
  }
  const { bavail, bsize } = await statfs(directory);
  const freeBytes = bavail * bsize;
  if (freeBytes < minFreeBytes)
    throw new StackError(
      `Only ${mebibytes(freeBytes)} MiB are free at ${directory}, ${mebibytes(minFreeBytes)} MiB are needed. ` +
        `Free some space or set ${setting} to a directory on another disk.`,
    );
}

function notMade(setting: string, directory: string, error: unknown): StackError {
  const reason = error instanceof Error ? error.message : String(error);
  return new StackError(`Cannot make ${directory} (${reason}). Set ${setting} to a directory you may write to.`);
}

function mebibytes(bytes: number): number {
  return Math.floor(bytes / 1_048_576);
}
