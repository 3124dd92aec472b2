import type { Pool } from "pg";
import { retry } from "../../concurrency/retry.ts";
import type { Config } from "../../config.ts";
import { executeStatement } from "../../store/questdb/executeStatement.ts";
import { BackupError } from "../backupError.ts";

type Settings = Pick<Config["questdb"], "http">;

/** QuestDB flushes the whole disk, which may take long on a busy one. */
const timeoutMs = 600_000;

/**
 * Makes QuestDB keep every file as it is now until `releaseCheckpoint`, and record which ones belong together. PostgreSQL has a
 * note of it, so that it is released even if this process is killed.
 */
export async function createCheckpoint(
  settings: Settings,
  postgres: Pick<Pool, "query">,
  backupId: string,
): Promise<void> {
  await postgres.query("UPDATE backups SET has_checkpoint = true WHERE id = $1", [backupId]);
  try {
    await run(settings, "CHECKPOINT CREATE");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (!reason.includes("CHECKPOINT RELEASE"))
      throw new BackupError(`QuestDB could not make a checkpoint (${reason}). Look at its log, then try again.`);
    // It is not ours to release.
    await postgres.query("UPDATE backups SET has_checkpoint = false WHERE id = $1", [backupId]);
    throw new BackupError(
      "QuestDB holds a checkpoint that something else has made. Let that finish, or run CHECKPOINT RELEASE in QuestDB's console, then try again.",
    );
  }
}

/** Lets QuestDB delete files again after our checkpoint. Safe to repeat. */
export async function releaseCheckpoint(
  settings: Settings,
  postgres: Pick<Pool, "query">,
  backupId: string,
): Promise<void> {
  // A killed backup may have asked for a checkpoint that is still being made.
  await retry(() => run(settings, "CHECKPOINT RELEASE"), {
    minWaitMs: 250,
    maxWaitMs: 1_000,
    giveUpAfterMs: 60_000,
    stop: AbortSignal.timeout(timeoutMs),
    onRetry: () => undefined,
  });
  await postgres.query("UPDATE backups SET has_checkpoint = false WHERE id = $1", [backupId]);
}

/**
 * Cleans up after backups that failed or were killed: releases their checkpoint, and records that they hold nothing. With a
 * replica, such as s1/b, it does so for that replica's snapshots, and the settings are those of its QuestDB. The caller must hold
 * the backup lock, so that no other backup of ours runs. A checkpoint of another program is not released. Resolves to whether
 * there was one to release.
 */
export async function endUnfinished(
  settings: Settings,
  postgres: Pick<Pool, "query">,
  replica: string | undefined,
): Promise<boolean> {
  const { rows } = await postgres.query<{ id: string }>(
    "SELECT id FROM backups WHERE has_checkpoint AND replica IS NOT DISTINCT FROM $1",
    [replica],
  );
  for (const { id } of rows) await releaseCheckpoint(settings, postgres, id);
  await postgres.query(
    `UPDATE backups SET removed_at = clock_timestamp()
     WHERE finished_at IS NULL AND removed_at IS NULL AND replica IS NOT DISTINCT FROM $1`,
    [replica],
  );
  return rows.length > 0;
}

/** Flushes the disk beforehand, so that the checkpoint that commits wait for takes less time. */
export async function flushDisk(settings: Settings, postgres: Pick<Pool, "query">, backupId: string): Promise<void> {
  await createCheckpoint(settings, postgres, backupId);
  await releaseCheckpoint(settings, postgres, backupId);
}

async function run({ http }: Settings, statement: string): Promise<void> {
  await executeStatement(http, statement, timeoutMs);
}
