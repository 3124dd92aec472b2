import type { Pool } from "pg";
import { DamagedManifestError, manifestName, objectName, startOf } from "../manifest.ts";
import type { BackupTarget } from "./backupTarget.ts";
import { listBackups, readableManifest } from "./readManifest.ts";

/**
 * Removes the backups of a target that are older than `keepMs`, then every object that no backup needs, such as those of a killed
 * backup. An unreadable manifest may need any object: then all objects stay, and `problems` says so. The caller must hold the
 * backup lock. Resolves to the ids of the removed backups.
 */
export async function expireBackups(
  target: BackupTarget,
  postgres: Pick<Pool, "query">,
  keepMs: number,
  nowMs: number,
): Promise<{ readonly removed: readonly string[]; readonly problems: readonly string[] }> {
  const ids = await listBackups(target);
  const expired = ids.filter((id) => startOf(id) <= nowMs - keepMs);
  // Manifests first, so that no backup looks whole that is not.
  await target.remove(expired.map(manifestName));
  const needed = new Set<string>();
  const problems: string[] = [];
  for (const id of ids.filter((one) => !expired.includes(one))) {
    const manifest = await readableManifest(target, id);
    if (manifest instanceof DamagedManifestError) problems.push(manifest.message);
    else for (const { object } of manifest.parts) needed.add(objectName(object));
  }
  const stored = problems.length > 0 ? [] : await target.list("objects");
  await target.remove(stored.flatMap(({ name }) => (needed.has(name) ? [] : [name])));
  await postgres.query(
    "UPDATE backups SET removed_at = clock_timestamp() WHERE target = $1 AND id = ANY($2) AND removed_at IS NULL",
    [target.place, expired],
  );
  return { removed: expired, problems };
}
