import type { Pool } from "pg";
import type { Config } from "../../config.ts";
import { type BackupPart, backupId, formatVersion, type Manifest, manifestName, sizeOf } from "../manifest.ts";
import type { BackupTarget } from "../target/backupTarget.ts";
import { endUnfinished } from "./checkpoint.ts";
import { installationOf, programVersion } from "./installation.ts";
import type { OnProgress, Writing } from "./packPart.ts";

/** What a backup has, at its point in time, Unix ms. */
type Contents = Pick<Manifest, "migrations" | "postgres" | "sequences" | "questdb" | "replica"> & {
  readonly takenMs: number;
  readonly parts: readonly BackupPart[];
};

/**
 * Writes a backup to a target: `work` gets its id and stores its parts, and the manifest, which comes last, makes it valid.
 * `replica` names the replica of a snapshot, such as s1/a. Resolves to the manifest. When it rejects, nothing is left that looks
 * like a backup. The caller must hold the backup lock.
 */
export async function writeBackup(
  { config, postgres }: { readonly config: Config; readonly postgres: Pick<Pool, "query"> },
  target: BackupTarget,
  replica: string | undefined,
  work: (writing: Writing, id: string) => Promise<Contents>,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<Manifest> {
  const startedMs = Date.now();
  const id = backupId(startedMs);
  const known = new Map((await target.list("objects")).map(({ name, bytes }) => [name, bytes]));
  const sums = { read: 0, written: 0 };
  await postgres.query(
    `INSERT INTO backups (id, target, replica, expires_at, installation)
     SELECT $1, $2, $3, now() + $4 * interval '1 day', installation.id FROM installation`,
    [id, target.place, replica, config.backup.keepDays],
  );
  try {
    const { takenMs, parts, ...contents } = await work({ target, known, signal, onProgress, sums }, id);
    const manifest: Manifest = {
      format: formatVersion,
      program: programVersion,
      id,
      startedAt: new Date(startedMs).toISOString(),
      takenAt: new Date(takenMs).toISOString(),
      finishedAt: new Date().toISOString(),
      installation: await installationOf(postgres),
      ...contents,
      parts,
      bytes: sizeOf(parts),
      bytesWritten: sums.written,
    };
    await target.putText(manifestName(id), JSON.stringify(manifest));
    await postgres.query(
      "UPDATE backups SET taken_at = to_timestamp($2::float8 / 1000), finished_at = clock_timestamp() WHERE id = $1",
      [id, takenMs],
    );
    return manifest;
  } catch (error) {
    await endUnfinished(config.questdb, postgres, replica).catch(() => undefined);
    throw error;
  }
}
