import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Pool, PoolClient } from "pg";
import type { Config } from "../../config.ts";
import { withoutCommits } from "../../lifecycle/erasure/guard/commitLock.ts";
import type { QuestdbReader } from "../../store/questdb/questdbReader.ts";
import { tableNames } from "../../store/questdb/tables.ts";
import { whenApplied } from "../../store/questdb/whenApplied.ts";
import { BackupError } from "../backupError.ts";
import { countQuestdbRows } from "../countRows.ts";
import { type BackupPart, backupId, formatVersion, type Manifest, manifestName, places } from "../manifest.ts";
import type { BackupTarget } from "../target/backupTarget.ts";
import { newestManifest } from "../target/readManifest.ts";
import { createCheckpoint, endUnfinished, flushDisk, releaseCheckpoint } from "./checkpoint.ts";
import { packDataDir } from "./dataDirParts.ts";
import { beginSnapshot, dumpPostgres } from "./dumpPostgres.ts";
import { findFiles, sourceOf, unchangedPart } from "./fileSources.ts";
import { packPart, type Writing } from "./packPart.ts";
import { type QuestdbDirectory, questdbDirectories } from "./questdbParts.ts";

export type BackupTools = {
  readonly config: Config;
  readonly postgres: Pool;
  readonly questdb: QuestdbReader;
};

/** Called now and then with what is being done, such as "QuestDB: 1,204 MB read, 31 MB written". */
export type OnProgress = (text: string) => void;

const { version }: { version: string } = JSON.parse(
  readFileSync(new URL("../../../package.json", import.meta.url), "utf8"),
);

/** How long QuestDB may take to apply what is committed, while nothing new is. */
const appliedWithinMs = 60_000;

/**
 * Backs up everything while the service runs: PostgreSQL, QuestDB, the log of accepted rows and the files beside it.
 * docs/develop/backup.md says why the parts fit together. Resolves to the manifest. Rejects with BackupError, and then
 * leaves nothing that looks like a backup. Only for the holder of the backup lock.
 */
export async function takeBackup(
  tools: BackupTools,
  target: BackupTarget,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<Manifest> {
  const { config, postgres } = tools;
  const root = rootOf(config);
  const startedMs = Date.now();
  const id = backupId(startedMs);
  const earlier = await newestManifest(target);
  const installation = await installationOf(postgres);
  if (earlier !== undefined && earlier.installation !== installation)
    throw new BackupError(`${target.place} has the backups of another installation. Name another place with --to.`);
  const sums = { read: 0, written: 0 };
  const writing: Writing = {
    target,
    known: new Set((await target.list("objects")).map(({ name }) => name)),
    signal,
    onRead: (bytes) => {
      sums.read += bytes;
      onProgress(`${megabytes(sums.read)} MB read, ${megabytes(sums.written)} MB new`);
    },
    onWritten: (bytes) => {
      sums.written += bytes;
    },
  };
  await postgres.query("INSERT INTO backups (id, target, expires_at) VALUES ($1, $2, now() + $3 * interval '1 day')", [
    id,
    target.place,
    config.backup.keepDays,
  ]);
  const snapshot = await postgres.connect();
  try {
    const takenMs = Date.now();
    // First, so that what leaves the log meanwhile is in QuestDB by the time of its checkpoint.
    const parts: BackupPart[] = await packDataDir(writing, config);
    onProgress("forcing QuestDB's files to the disk");
    await flushDisk(config.questdb, postgres, id);
    const { directories, rows } = await stopTheClock(tools, snapshot, id, root, signal);
    const dump = await dumpPostgres(snapshot, writing);
    const migrations = await migrationsOf(snapshot);
    await snapshot.query("COMMIT");
    parts.push(...dump.parts);
    for (const directory of directories) parts.push(await packDirectory(writing, directory, dirname(root), earlier));
    await releaseCheckpoint(config.questdb, postgres, id);
    const manifest: Manifest = {
      format: formatVersion,
      program: version,
      id,
      startedAt: new Date(startedMs).toISOString(),
      takenAt: new Date(takenMs).toISOString(),
      finishedAt: new Date().toISOString(),
      installation,
      migrations,
      postgres: dump.rows,
      sequences: dump.sequences,
      questdb: rows,
      parts,
      bytes: parts.reduce((sum, { files }) => sum + files.reduce((of, { bytes }) => of + bytes, 0), 0),
      bytesWritten: sums.written,
    };
    await target.putText(manifestName(id), JSON.stringify(manifest));
    await postgres.query(
      `UPDATE backups SET taken_at = to_timestamp($2::float8 / 1000), finished_at = clock_timestamp() WHERE id = $1`,
      [id, takenMs],
    );
    return manifest;
  } catch (error) {
    await endUnfinished(config.questdb, postgres).catch(() => undefined);
    throw error;
  } finally {
    // Ends a transaction that is still open.
    snapshot.release(true);
  }
}

/**
 * The common point in time of QuestDB and PostgreSQL: while no process commits rows to QuestDB, waits until all of them
 * are applied and counts them, makes the checkpoint, and begins a transaction that sees PostgreSQL as it is now.
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

async function packDirectory(
  writing: Writing,
  { name, path, isRecursive }: QuestdbDirectory,
  home: string,
  earlier: Manifest | undefined,
): Promise<BackupPart> {
  writing.signal.throwIfAborted();
  const found = await findFiles(home, path, places.questdb, isRecursive);
  const known = earlier?.parts.find((part) => part.name === name);
  const same = unchangedPart(known, Date.parse(earlier?.startedAt ?? ""), found);
  return same ?? (await packPart(writing, name, found.map(sourceOf)));
}

function rootOf({ questdb }: Config): string {
  if (questdb.root !== undefined) return questdb.root;
  throw new BackupError(
    "A backup reads QuestDB's files. Run it on QuestDB's machine with QUESTDB_ROOT set to its data root (see docs/operate/backup.md).",
  );
}

async function installationOf(postgres: Pick<Pool, "query">): Promise<string> {
  const { rows } = await postgres.query<{ id: string }>("SELECT id FROM organizations ORDER BY created_at, id LIMIT 1");
  return rows[0]?.id ?? "";
}

async function migrationsOf(client: PoolClient): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>("SELECT name FROM migrations ORDER BY id");
  return rows.map(({ name }) => name);
}

function megabytes(bytes: number): string {
  return Math.round(bytes / 1e6).toLocaleString("en");
}
