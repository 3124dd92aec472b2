import { BackupError } from "../backupError.ts";
import { DamagedManifestError, idsOf, type Manifest, manifestName, parseManifest } from "../manifest.ts";
import { type BackupTarget, readText } from "./backupTarget.ts";

/** The ids of the backups in a target, oldest first. */
export async function listBackups(target: Pick<BackupTarget, "list">): Promise<string[]> {
  return idsOf((await target.list("backups")).map(({ name }) => name));
}

/** The manifest of a backup. Rejects with BackupError when it is missing, damaged, or of a newer version. */
export async function readManifest(target: BackupTarget, id: string): Promise<Manifest> {
  const name = manifestName(id);
  return parseManifest(await readText(target, name), `${target.place}/${name}`);
}

/**
 * The manifest of a backup, or why it cannot be read. Rejects with errors that concern all manifests, such as an unavailable
 * bucket.
 */
export async function readableManifest(target: BackupTarget, id: string): Promise<Manifest | DamagedManifestError> {
  return await readManifest(target, id).catch((error: unknown) => {
    if (error instanceof DamagedManifestError) return error;
    throw error;
  });
}

/** The newest backup of a target with a readable manifest; undefined without any. */
export async function newestManifest(target: BackupTarget): Promise<Manifest | undefined> {
  for (const id of (await listBackups(target)).reverse()) {
    const manifest = await readableManifest(target, id);
    if (!(manifest instanceof DamagedManifestError)) return manifest;
  }
  return undefined;
}

/** The backup with this id, or the newest one. Rejects with BackupError when there is none. */
export async function findBackup(target: BackupTarget, id: string | undefined): Promise<Manifest> {
  const ids = await listBackups(target);
  const chosen = id ?? ids.at(-1);
  if (chosen === undefined)
    throw new BackupError(`${target.place} has no finished backup. Name the place that npm run backup wrote to.`);
  if (!ids.includes(chosen))
    throw new BackupError(`${target.place} has no backup ${chosen}. It has: ${ids.slice(-10).join(", ")}.`);
  return await readManifest(target, chosen);
}
