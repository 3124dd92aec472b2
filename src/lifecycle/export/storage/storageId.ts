import { randomUUID } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { hasCode, whenMissing } from "../../../errors/errorCode.ts";

/** No export has this name. */
export const storageIdFile = "storage-id";

/**
 * The id of the export directory, created if it has none. All processes that share the directory read the same id, so
 * an export can record which machine has its files.
 */
export async function readStorageId(directory: string): Promise<string> {
  const path = join(directory, storageIdFile);
  const known = await read(path);
  if (known !== undefined) return known;
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const unfinished = `${path}.${randomUUID()}.tmp`;
  await writeFile(unfinished, randomUUID(), { mode: 0o600, flush: true });
  try {
    await link(unfinished, path);
  } catch (error) {
    // Another process was faster.
    if (!hasCode(error, "EEXIST")) throw error;
  } finally {
    await rm(unfinished, { force: true });
  }
  const made = await read(path);
  if (made === undefined) throw new Error(`${path} was just created and is missing`);
  return made;
}

async function read(path: string): Promise<string | undefined> {
  return (await readFile(path, "utf8").catch(whenMissing))?.trim() || undefined;
}
