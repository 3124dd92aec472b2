import type { Pool, PoolClient } from "pg";
import type { Config } from "../../config.ts";
import { withoutCommits } from "../../lifecycle/erasure/guard/commitLock.ts";
import type { QuestdbReader } from "../../store/questdb/questdbReader.ts";
import { tableNames } from "../../store/questdb/tables.ts";
import { whenApplied } from "../../store/questdb/whenApplied.ts";
import { BackupError } from "../backupError.ts";
import { countQuestdbRows } from "../countRows.ts";
import type { Manifest } from "../manifest.ts";
import type { BackupTarget } from "../target/backupTarget.ts";
import { newestManifest } from "../target/readManifest.ts";
import { createCheckpoint, flushDisk, releaseCheckpoint } from "./checkpoint.ts";
import { packDataDir } from "./dataDirParts.ts";
import { beginSnapshot, dumpPostgres } from "./dumpPostgres.ts";
import { installationOf, migrationsOf } from "./installation.ts";
import type { OnProgress, Writing } from "./packPart.ts";
import { packQuestdb, rootOf } from "./packQuestdb.ts";
import { type QuestdbDirectory, questdbDirectories } from "./questdbParts.ts";
import { takeOver } from "./takeOver.ts";
import { writeBackup } from "./writeBackup.ts";

export type BackupTools = {
  readonly config: Config;
  readonly postgres: Pool;
  readonly questdb: QuestdbReader;
};

/** How long QuestDB may take to apply everything committed, while nothing new is committed. */
export const appliedWithinMs = 60_000;

/**
 * Backs up everything while the service runs: PostgreSQL, QuestDB, the log of accepted rows and the files beside it.
 * docs/develop/backup.md says why the parts fit together. Resolves to the manifest. Rejects with BackupError, and then leaves
 * nothing that looks like a backup. The caller must hold the backup lock.
 */
export async function takeBackup(
  tools: BackupTools,
  target: BackupTarget,
  onProgress: OnProgress,
  signal: AbortSignal,
  takesOver: boolean,
): Promise<Manifest> {
  const { config, postgres } = tools;
  const root = rootOf(config);
  const earlier = await newestManifest(target);
  if (earlier?.replica !== undefined)
    throw new BackupError(`${target.place} has the snapshots of a replica. Name another place with --to.`);
  if (earlier !== undefined && earlier.installation !== (await installationOf(postgres))) {
    if (!takesOver)
      throw new BackupError(
        `${target.place} has the backups of another installation. Name another place, or, if this one was restored to replace it, ` +
          "run npm run backup -- --to <place> --take-over once.",
      );
    await takeOver(postgres, target);
  }
  const write = async (writing: Writing, id: string) => {
    const snapshot = await postgres.connect();
    try {
      const takenMs = Date.now();
      // First, so that rows that leave the log meanwhile are in QuestDB by the time of its checkpoint.
      const log = await packDataDir(writing, config);
      onProgress("forcing QuestDB's files to the disk");
      await flushDisk(config.questdb, postgres, id);
      const { directories, rows: questdb } = await stopTheClock(tools, snapshot, id, root, signal);
      const { parts: tables, rows, sequences } = await dumpPostgres(snapshot, writing);
      const migrations = await migrationsOf(snapshot);
      await snapshot.query("COMMIT");
      const parts = [...log, ...tables, ...(await packQuestdb(writing, directories, root, earlier))];
      await releaseCheckpoint(config.questdb, postgres, id);
      return { takenMs, migrations, postgres: rows, sequences, questdb, parts };
    } finally {
      // Closes the connection, which ends a transaction that is still open.
      snapshot.release(true);
    }
  };
  return await writeBackup(tools, target, undefined, write, onProgress, signal);
}

/**
 * Fixes a common point in time of QuestDB and PostgreSQL. While no process commits rows to QuestDB, waits until all of them are
 * applied, counts them, makes the checkpoint, and begins a transaction that sees PostgreSQL as it is now.
 */
async function stopTheClock(
  { config, postgres, questdb }: BackupTools,
  snapshot: PoolClient,
  id: string,
  root: string,
  signal: AbortSignal,
): Promise<{ directories: QuestdbDirectory[]; rows: Manifest["questdb"] }> {
  return await withoutCommits(postgres, questdb.shard, signal, async () => {
    await whenApplied(questdb, tableNames, signal, appliedWithinMs).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      throw new BackupError(`${reason}. Try again once /readyz names no table.`);
    });
    const rows = await countQuestdbRows(questdb, signal);
    await createCheckpoint(config.questdb, postgres, id);
    await beginSnapshot(snapshot);
    return { directories: await questdbDirectories(root), rows };
  });
}
