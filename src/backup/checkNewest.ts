import type { Pool } from "pg";
import type { Logger } from "pino";
import type { Config } from "../config.ts";
import { BackupError } from "./backupError.ts";
import { checkBackup } from "./restore/unpackBackup.ts";
import type { OnProgress } from "./take/packPart.ts";
import { openSource } from "./target/openTarget.ts";
import { readManifest } from "./target/readManifest.ts";

type Tools = {
  readonly config: Config;
  readonly postgres: Pick<Pool, "query">;
  readonly log: Pick<Logger, "warn">;
};

type Newest = { readonly id: string; readonly target: string };

/**
 * Reads the newest backup of this installation and compares every file with its checksum, if that was not done within
 * BACKUP_CHECK_INTERVAL_MS. If the last checked backup is damaged, a newer one is checked at once. Resolves to the id of the
 * checked backup, or to null if none was due. Failures are logged and stored: /readyz reports them until a backup is found whole.
 */
export async function checkNewest(
  { config, postgres, log }: Tools,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<string | null> {
  const newest = await findDue(postgres, config.backup.checkIntervalMs);
  if (newest === undefined) return null;
  const { id, target } = newest;
  const failure = await findDamage(newest, config, onProgress, signal);
  if (failure !== null)
    log.warn({ target, backup: id, reason: failure }, "the newest backup was checked and is not whole");
  await postgres.query("UPDATE backups SET checked_at = clock_timestamp(), check_failure = $2 WHERE id = $1", [
    id,
    failure,
  ]);
  return id;
}

async function findDamage(
  { id, target }: Newest,
  config: Config,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<string | null> {
  try {
    const opened = await openSource(target, config);
    await checkBackup(opened, await readManifest(opened, id), (text) => onProgress(`checking ${id}: ${text}`), signal);
    return null;
  } catch (error) {
    if (!(error instanceof BackupError)) throw error;
    return error.message;
  }
}

async function findDue(postgres: Pick<Pool, "query">, intervalMs: number): Promise<Newest | undefined> {
  if (intervalMs === 0) return undefined;
  const { rows } = await postgres.query<Newest>(
    `WITH own AS (
       SELECT backups.* FROM backups JOIN installation ON installation.id = backups.installation
       WHERE finished_at IS NOT NULL AND removed_at IS NULL AND replica IS NULL)
     SELECT id, target FROM own
     WHERE id = (SELECT max(id) FROM own)
       AND coalesce(checked_at < now() - $1 * interval '1 millisecond', true)
       AND NOT EXISTS (
         SELECT FROM own WHERE check_failure IS NULL AND checked_at > now() - $1 * interval '1 millisecond')`,
    [intervalMs],
  );
  return rows[0];
}
