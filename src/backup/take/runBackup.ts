import { mkdir, rm, rmdir } from "node:fs/promises";
import type { Pool } from "pg";
import { hasCode } from "../../errors/errorCode.ts";
import { advisoryLocks } from "../../store/postgres/advisoryLocks.ts";
import { dayMs } from "../../time/utcDay.ts";
import { BackupBusyError, BackupError } from "../backupError.ts";
import type { Manifest } from "../manifest.ts";
import { collectReceipts } from "../receipts/receipts.ts";
import { addReceipts } from "../receipts/storedReceipts.ts";
import type { BackupTarget } from "../target/backupTarget.ts";
import { expireBackups } from "../target/expireBackups.ts";
import { openTarget } from "../target/openTarget.ts";
import { endUnfinished } from "./checkpoint.ts";
import { refuseOldTables } from "./installation.ts";
import type { OnProgress } from "./packPart.ts";
import { type BackupTools, takeBackup } from "./takeBackup.ts";

/**
 * Makes a backup at a place, puts the receipts of erasures beside it, and removes expired backups. Cleans up after a killed
 * backup, except for objects that this one can use. A place with backups of another installation is only used if this one takes
 * it over. Rejects with BackupError for what an operator can correct.
 */
export async function runBackup(
  tools: BackupTools,
  to: string,
  onProgress: OnProgress,
  signal: AbortSignal,
  takesOver = false,
): Promise<Written> {
  const { postgres } = tools;
  return await writeTo(tools, await openTarget(to, tools.config), undefined, async (target) => {
    const manifest = await takeBackup(tools, target, onProgress, signal, takesOver);
    await addReceipts(target, await collectReceipts(postgres, Date.now()));
    return manifest;
  });
}

/** A finished backup, and what is wrong with earlier ones at the same place, a sentence each. */
export type Written = { readonly manifest: Manifest; readonly problems: readonly string[] };

/** Prepares a target for a backup, or for a snapshot of a `replica`, lets `work` write to it, and then removes expired ones. */
export async function writeTo(
  { config, postgres }: Pick<BackupTools, "config" | "postgres">,
  target: BackupTarget,
  replica: string | undefined,
  work: (target: BackupTarget) => Promise<Manifest>,
): Promise<Written> {
  await refuseOldTables(postgres);
  return await withBackupLock(postgres, async () => {
    try {
      // Files of a killed backup.
      await rm(target.staging, { recursive: true, force: true });
      await mkdir(target.staging, { recursive: true, mode: 0o700 });
      await endUnfinished(config.questdb, postgres, replica);
      const manifest = await work(target);
      const { problems } = await expireBackups(target, postgres, config.backup.keepDays * dayMs, Date.now());
      return { manifest, problems };
    } catch (error) {
      throw explained(error, target);
    } finally {
      await rmdir(target.staging).catch(() => undefined);
    }
  });
}

/** Runs `work` while no other backup of this installation is made. Rejects with BackupBusyError if one is being made. */
export async function withBackupLock<T>(postgres: Pick<Pool, "connect">, work: () => Promise<T>): Promise<T> {
  const client = await postgres.connect();
  try {
    const { rows } = await client.query<{ isOurs: boolean }>('SELECT pg_try_advisory_lock($1) AS "isOurs"', [
      advisoryLocks.backup,
    ]);
    if (rows[0]?.isOurs !== true) throw new BackupBusyError();
    return await work();
  } finally {
    // Closing the connection releases the lock.
    client.release(true);
  }
}

function explained(error: unknown, { place }: BackupTarget): unknown {
  if (hasCode(error, "ENOSPC", "EDQUOT"))
    return new BackupError(
      `There is no room left at ${place}. Free some or name another place with --to, then try again; what is there already is not written twice.`,
    );
  if (hasCode(error, "EACCES", "EPERM", "EROFS") && error instanceof Error)
    return new BackupError(
      `A file cannot be used (${error.message}). Mend its rights, or name another place with --to.`,
    );
  return error;
}
