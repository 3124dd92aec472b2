import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Client } from "@temporalio/client";
import type { Pool } from "pg";
import type { Logger } from "pino";
import { repeat } from "../../../concurrency/poll.ts";
import { reportStorage } from "./exportStorages.ts";
import { LocalStorage } from "./localStorage.ts";
import type { StorageSettings } from "./openStorage.ts";
import { removeEnded } from "./removeEnded.ts";
import { readStorageId, storageIdFile } from "./storageId.ts";

export type LocalFilesTools = {
  readonly postgres: Pick<Pool, "query">;
  readonly temporal: { readonly client: Client };
  readonly log: Pick<Logger, "warn" | "info">;
};

/** The export directory of a worker's machine. */
export type LocalFiles = { readonly id: string; readonly directory: string };

/** The export directory of this worker's machine; undefined with a bucket. */
export async function openLocalFiles({ bucket, directory }: StorageSettings): Promise<LocalFiles | undefined> {
  return bucket === undefined ? { id: await readStorageId(directory), directory } : undefined;
}

const everyMs = 10_000;

/** A run may still remove its own files. */
const endedMs = 15_000;

/** How long a folder that belongs to no export of this directory is left alone. */
const unknownKeptMs = 3_600_000;

/**
 * Reports the directory and removes what should not be in it, until `signal` aborts: files of ended exports that their
 * run did not remove, as after a crash or an erasure while this machine was off, and files that belong to no export.
 */
export async function keepLocalFiles(tools: LocalFilesTools, files: LocalFiles, signal: AbortSignal): Promise<void> {
  const storage = new LocalStorage(files.directory);
  const work = async () => {
    await reportStorage(tools.postgres, files.id, files.directory);
    const ended = await removeEnded(tools, storage, files.id, endedMs);
    const removed = ended + (await removeStrangers(tools, files, storage));
    if (removed > 0) tools.log.info({ removed }, "files of exports that have ended were removed");
  };
  await repeat(work, everyMs, signal, (error) =>
    tools.log.warn({ err: error }, "files of exports could not be checked, trying again"),
  );
}

async function removeStrangers(
  { postgres }: LocalFilesTools,
  { id, directory }: LocalFiles,
  storage: LocalStorage,
): Promise<number> {
  const names = (await readdir(directory)).filter((name) => !name.startsWith(storageIdFile));
  const { rows } = await postgres.query<{ id: string }>(
    "SELECT id FROM exports WHERE id = ANY($1) AND removed_at IS NULL AND coalesce(storage_id, $2) = $2",
    [names, id],
  );
  const ours = new Set(rows.map((row) => row.id));
  let removed = 0;
  for (const name of names) {
    if (ours.has(name)) continue;
    const changedMs = (await stat(join(directory, name)).catch(() => undefined))?.mtimeMs;
    if (changedMs === undefined || changedMs > Date.now() - unknownKeptMs) continue;
    await storage.removeFolder(name);
    removed += 1;
  }
  return removed;
}
