import type { Pool } from "pg";
import type { Logger } from "pino";
import { dayMs } from "../time/utcDay.ts";
import { startOf } from "./manifest.ts";
import { collectReceipts } from "./receipts/receipts.ts";
import { addReceipts } from "./receipts/storedReceipts.ts";
import { endUnfinished } from "./take/checkpoint.ts";
import { installationOf } from "./take/installation.ts";
import type { OnProgress } from "./take/packPart.ts";
import { runBackup, withBackupLock } from "./take/runBackup.ts";
import type { BackupTools } from "./take/takeBackup.ts";
import { expireBackups } from "./target/expireBackups.ts";
import { openSource } from "./target/openTarget.ts";
import { listBackups, newestManifest } from "./target/readManifest.ts";

type Tools = BackupTools & { readonly log: Pick<Logger, "warn" | "info"> };

/** Ids of the backup that was made, if one was due, and of those that were removed. Plain JSON. */
export type KeptBackups = {
  readonly made: string | null;
  readonly removed: readonly string[];
};

/**
 * What the service does about backups by itself: releases the checkpoint of a killed one, puts receipts of erasures beside all of
 * them, removes expired ones, and makes the next one if BACKUP_TO is set and it is due. Safe to repeat. Rejects with BackupError
 * when the backup cannot be made.
 */
export async function keepBackups(tools: Tools, onProgress: OnProgress, signal: AbortSignal): Promise<KeptBackups> {
  const { config, postgres, log } = tools;
  await putReceipts(tools);
  const removed = await withBackupLock(postgres, async () => {
    if (await endUnfinished(config.questdb, postgres, undefined))
      log.info("the checkpoint of a backup that did not finish was released");
    return await removeExpired(tools);
  });
  return { made: await makeDue(tools, onProgress, signal), removed };
}

async function makeDue(tools: Tools, onProgress: OnProgress, signal: AbortSignal): Promise<string | null> {
  const { config, postgres, log } = tools;
  const { to, intervalMs } = config.backup;
  if (to === undefined || !(await isDue(postgres, intervalMs))) return null;
  const { manifest, problems } = await runBackup(tools, to, onProgress, signal);
  for (const problem of problems)
    log.warn({ target: to, reason: problem }, "the backup was made, but an earlier one is damaged");
  return manifest.id;
}

/** Puts the receipts of all erasures beside the backups of this installation. Logs a place that is unavailable. */
export async function putReceipts({
  config,
  postgres,
  log,
}: Pick<Tools, "config"> & { postgres: Pick<Pool, "query">; log: Pick<Logger, "warn"> }): Promise<void> {
  const { rows } = await postgres.query<{ target: string }>(
    `SELECT DISTINCT target FROM backups JOIN installation ON installation.id = backups.installation
     WHERE finished_at IS NOT NULL AND removed_at IS NULL AND replica IS NULL`,
  );
  if (rows.length === 0) return;
  const receipts = await collectReceipts(postgres, Date.now());
  for (const { target } of rows)
    try {
      await addReceipts(await openSource(target, config), receipts);
    } catch (error) {
      log.warn({ err: error, target }, "receipts of erasures could not be put beside the backups");
    }
}

async function removeExpired({ config, postgres, log }: Tools): Promise<string[]> {
  const { rows } = await postgres.query<{ target: string; isExpired: boolean }>(
    `SELECT target, bool_or(expires_at < now()) AS "isExpired" FROM backups JOIN installation ON installation.id = backups.installation
     WHERE finished_at IS NOT NULL AND removed_at IS NULL GROUP BY target`,
  );
  const keepMs = config.backup.keepDays * dayMs;
  const removed: string[] = [];
  for (const { target, isExpired } of rows)
    try {
      const opened = await openSource(target, config);
      // PostgreSQL may have been restored from a backup that does not know the latest ones.
      const ids = await listBackups(opened);
      if (!ids.some((id) => startOf(id) <= Date.now() - keepMs)) continue;
      // Another installation has taken the place over, and may be writing objects that no manifest has yet.
      if ((await newestManifest(opened))?.installation !== (await installationOf(postgres))) continue;
      const expired = await expireBackups(opened, postgres, keepMs, Date.now());
      removed.push(...expired.removed);
      for (const problem of expired.problems)
        log.warn(
          { target, reason: problem },
          "a manifest cannot be read, so no object of the backups there is removed",
        );
    } catch (error) {
      // A disk that is attached only during backups may be missing until backups have expired.
      if (isExpired) log.warn({ err: error, target }, "backups that are too old could not be removed");
    }
  return removed;
}

async function isDue(postgres: Pick<Pool, "query">, intervalMs: number): Promise<boolean> {
  const { rowCount } = await postgres.query(
    `SELECT FROM backups JOIN installation ON installation.id = backups.installation
     WHERE replica IS NULL AND finished_at IS NOT NULL AND started_at > now() - $1 * interval '1 millisecond' LIMIT 1`,
    [intervalMs],
  );
  return rowCount === 0;
}
