import { mkdir, readdir, rename, stat, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { whenMissing } from "../errors/errorCode.ts";

/** Below the root of a log: files with damaged bytes, for a person to inspect. Their intact records are stored. */
export const damagedDirectoryName = "damaged";

/** Moves a file aside. `path` is that of a file in a process's directory below the log's root. */
export async function keepDamagedFile(path: string): Promise<void> {
  const directory = dirname(path);
  const kept = join(dirname(directory), damagedDirectoryName);
  await mkdir(kept, { recursive: true, mode: 0o700 });
  await rename(path, join(kept, `${basename(directory)}-${basename(path)}`));
}

/**
 * Deletes damaged files below a log's root that are older than `olderThanMs`. They contain complete rows, and it is
 * unknown whose rows the damaged part held, so an erasure deletes all of them.
 */
export async function deleteDamagedFiles(root: string, olderThanMs = 0): Promise<void> {
  const directory = join(root, damagedDirectoryName);
  for (const name of await readdir(directory).catch(() => [])) {
    const path = join(directory, name);
    const found = await stat(path).catch(() => undefined);
    // Another process may have deleted it.
    if (found !== undefined && found.ctimeMs <= Date.now() - olderThanMs) await unlink(path).catch(whenMissing);
  }
}
