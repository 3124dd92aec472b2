import type { Pool } from "pg";
import { type Manifest, manifestName } from "../manifest.ts";
import type { BackupTarget } from "../target/backupTarget.ts";

/** Records that a backup begins. `replica` names the replica of a snapshot, such as s1/a; null for a backup of everything. */
export async function recordBegun(
  postgres: Pick<Pool, "query">,
  { id, target, replica, keepDays }: { id: string; target: string; replica: string | null; keepDays: number },
): Promise<void> {
  await postgres.query(
    `INSERT INTO backups (id, target, replica, expires_at, installation)
     SELECT $1, $2, $3, now() + $4 * interval '1 day', installation.id FROM installation`,
    [id, target, replica, keepDays],
  );
}

/** Makes a backup valid by writing its manifest, and records that it is complete. Its contents are those of `takenMs`. */
export async function completeBackup(
  postgres: Pick<Pool, "query">,
  target: Pick<BackupTarget, "putText">,
  manifest: Manifest,
  takenMs: number,
): Promise<void> {
  await target.putText(manifestName(manifest.id), JSON.stringify(manifest));
  await postgres.query(
    "UPDATE backups SET taken_at = to_timestamp($2::float8 / 1000), finished_at = clock_timestamp() WHERE id = $1",
    [manifest.id, takenMs],
  );
}
