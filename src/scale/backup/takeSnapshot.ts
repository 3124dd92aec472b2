import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Pool } from "pg";
import { BackupError } from "../../backup/backupError.ts";
import type { Manifest } from "../../backup/manifest.ts";
import { createCheckpoint, flushDisk, releaseCheckpoint } from "../../backup/take/checkpoint.ts";
import { installationOf, migrationsOf } from "../../backup/take/installation.ts";
import type { OnProgress, Writing } from "../../backup/take/packPart.ts";
import { packQuestdb, rootOf } from "../../backup/take/packQuestdb.ts";
import { type QuestdbDirectory, questdbDirectories } from "../../backup/take/questdbParts.ts";
import { type Written, writeTo } from "../../backup/take/runBackup.ts";
import { appliedWithinMs, type BackupTools } from "../../backup/take/takeBackup.ts";
import { writeBackup } from "../../backup/take/writeBackup.ts";
import type { BackupTarget } from "../../backup/target/backupTarget.ts";
import { openTarget } from "../../backup/target/openTarget.ts";
import { newestManifest } from "../../backup/target/readManifest.ts";
import type { Offsets } from "../../durableLog/offsets.ts";
import { withoutCommits } from "../../lifecycle/erasure/guard/commitLock.ts";
import type { ReplicaName } from "../../store/questdb/questdbs.ts";
import { tableNames } from "../../store/questdb/tables.ts";
import { readWalStates, type WalState } from "../../store/questdb/walStates.ts";
import { whenApplied } from "../../store/questdb/whenApplied.ts";
import { LogPositions } from "../consume/logPositions.ts";
import { offsetsOf } from "../kafka/positions.ts";
import { mayServe } from "../shards/chooseReplica.ts";
import { readReplica } from "../shards/storeReplicas.ts";

/** Attempts to find a moment at which QuestDB has applied everything. */
const attempts = 20;

/** Where the snapshots of a replica are kept, below a place that all replicas share. */
export function placeOfReplica(place: string, { shard, replica }: ReplicaName): string {
  return `${place.replace(/\/+$/, "")}/${shard}-${replica}`;
}

/**
 * Makes a snapshot of one replica's QuestDB, from which any replica of its shard can be rebuilt: its rows include the position in
 * the log of the brokers. Removes its expired snapshots. The tools' QuestDB is that of the replica. Rejects with BackupError for
 * what an operator can correct.
 */
export async function takeSnapshot(
  tools: BackupTools,
  name: ReplicaName,
  place: string,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<Written> {
  const { config, postgres } = tools;
  const root = rootOf(config);
  const of = `${name.shard}/${name.replica}`;
  await refuseIncomplete(postgres, name);
  return await writeTo(tools, await openTarget(placeOfReplica(place, name), config), of, async (target) => {
    const earlier = await earlierSnapshot(target, postgres, name);
    const write = async (writing: Writing, id: string) => {
      onProgress("forcing QuestDB's files to the disk");
      await flushDisk(config.questdb, postgres, id);
      const { directories, takenMs, offsets } = await stopTheClock(tools, name, id, root, signal);
      const parts = await packQuestdb(writing, directories, root, earlier);
      await releaseCheckpoint(config.questdb, postgres, id);
      const migrations = await migrationsOf(postgres);
      return { takenMs, migrations, postgres: {}, sequences: {}, questdb: {}, parts, replica: { ...name, offsets } };
    };
    return await writeBackup(tools, target, of, write, onProgress, signal);
  });
}

/** Every replica rebuilt from this one would lack the same rows or erasures. */
async function refuseIncomplete(postgres: Pick<Pool, "query">, name: ReplicaName): Promise<void> {
  const known = await readReplica(postgres, name);
  if (known !== undefined && mayServe(known)) return;
  throw new BackupError(
    `The replica ${name.shard}/${name.replica} lacks rows or erasures. Wait until /readyz no longer names it, or make a snapshot of another one.`,
  );
}

/** The newest snapshot at the same place. */
async function earlierSnapshot(
  target: BackupTarget,
  postgres: Pick<Pool, "query">,
  { shard, replica }: ReplicaName,
): Promise<Manifest | undefined> {
  const earlier = await newestManifest(target);
  if (earlier === undefined) return undefined;
  const isSame = earlier.replica?.shard === shard && earlier.replica.replica === replica;
  if (isSame && earlier.installation === (await installationOf(postgres))) return earlier;
  throw new BackupError(
    `${target.place} has backups of something else. Name another place with --snapshot-to, or move them away.`,
  );
}

/**
 * Makes a checkpoint at a moment when QuestDB has applied all that was committed. Its tables then need no segments of the
 * write-ahead log, which are not copied. No rows are committed meanwhile. An erasure or a position in the log may still come in
 * between; then it tries again.
 */
async function stopTheClock(
  { config, postgres, questdb }: BackupTools,
  { shard }: ReplicaName,
  id: string,
  root: string,
  signal: AbortSignal,
): Promise<{ directories: QuestdbDirectory[]; takenMs: number; offsets: Offsets }> {
  const positions = new LogPositions(config.questdb, shard);
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const moment = await withoutCommits(postgres, shard, signal, async () => {
      await whenApplied(questdb, tableNames, signal, appliedWithinMs);
      const takenMs = await clockOf(postgres);
      const before = await readWalStates(questdb, signal);
      const offsets = offsetsOf(await positions.read());
      await createCheckpoint(config.questdb, postgres, id);
      if (isSettled(before, await readWalStates(questdb, signal)))
        return { directories: await questdbDirectories(root), takenMs, offsets };
      await releaseCheckpoint(config.questdb, postgres, id);
      return undefined;
    });
    if (moment === undefined) continue;
    if (!existsSync(join(dirname(root), ".checkpoint")))
      throw new BackupError(
        `QUESTDB_ROOT (${root}) is not the data root of ${config.questdb.http}: its checkpoint is not there. Correct the setting.`,
      );
    return moment;
  }
  throw new BackupError("QuestDB is changed all the time. Try again later.");
}

/** Whether everything committed before was applied, and nothing was committed since. */
export function isSettled(before: ReadonlyMap<string, WalState>, after: ReadonlyMap<string, WalState>): boolean {
  return [...after].every(([table, { committed, isSuspended }]) => {
    const earlier = before.get(table);
    return earlier !== undefined && earlier.committed === committed && earlier.applied === committed && !isSuspended;
  });
}

/** The time of PostgreSQL's clock, which erasures use; Unix ms. */
async function clockOf(postgres: Pick<Pool, "query">): Promise<number> {
  const { rows } = await postgres.query<{ ms: number }>(
    "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms",
  );
  return Number(rows[0]?.ms);
}
