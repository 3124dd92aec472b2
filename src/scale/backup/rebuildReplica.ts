import { mkdir, readdir, rename, rm, rmdir, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Pool } from "pg";
import { BackupError } from "../../backup/backupError.ts";
import type { Manifest } from "../../backup/manifest.ts";
import { unpackBackup } from "../../backup/restore/unpackBackup.ts";
import { installationOf } from "../../backup/take/installation.ts";
import type { OnProgress } from "../../backup/take/packPart.ts";
import { rootOf } from "../../backup/take/packQuestdb.ts";
import { withBackupLock } from "../../backup/take/runBackup.ts";
import type { BackupTarget } from "../../backup/target/backupTarget.ts";
import { openSource } from "../../backup/target/openTarget.ts";
import { findBackup, listBackups } from "../../backup/target/readManifest.ts";
import type { Config } from "../../config.ts";
import { hasCode, whenMissing } from "../../errors/errorCode.ts";
import type { ReplicaName } from "../../store/questdb/questdbs.ts";
import { offsetsOf, type Positions } from "../kafka/positions.ts";
import { hasReached } from "../shards/chooseReplica.ts";
import { lookAtReplica } from "../shards/lookAtReplica.ts";
import { missSince } from "./missSince.ts";
import { placeOfReplica } from "./takeSnapshot.ts";

export type RebuildTools = {
  /** Its `questdb` is that of the replica. */
  readonly config: Config;
  readonly postgres: Pool;
  /** The first offsets that the brokers still have. */
  readonly firstOfLog: () => Promise<Positions>;
};

/** The manifest of a snapshot. */
type Snapshot = Manifest & Required<Pick<Manifest, "replica">>;

/**
 * Fills the empty data root of a replica from the newest snapshot of any replica of its shard. Its QuestDB must not run. When
 * QuestDB and the consumer run again, they continue from the position in the log that the snapshot has. The replica is read once
 * it has stored the log and applied the erasures since the snapshot. Safe to repeat. Rejects with BackupError.
 */
export async function rebuildReplica(
  { config, postgres, firstOfLog }: RebuildTools,
  name: ReplicaName,
  from: string,
  onProgress: OnProgress,
): Promise<Manifest> {
  const root = rootOf(config);
  if ((await lookAtReplica(config.questdb.http)) === "well")
    throw new BackupError(`The QuestDB of ${name.shard}/${name.replica} runs. Stop it, and try again.`);
  await refuseFilled(root);
  return await withBackupLock(postgres, async () => {
    const { target, manifest } = await newestSnapshot(config, name.shard, from);
    if (manifest.installation !== (await installationOf(postgres)))
      throw new BackupError(`${target.place} has snapshots of another installation. Name another place.`);
    refuseTooOld(manifest, target, await firstOfLog());
    // From now on the replica is not read, and erasures count as missed, since it does not answer.
    await missSince(postgres, name, manifest.takenAt, manifest.replica.replica);
    await fill(root, target, manifest, onProgress);
    return manifest;
  });
}

async function refuseFilled(root: string): Promise<void> {
  const names = (await readdir(root).catch(whenMissing)) ?? [];
  if (names.length > 0)
    throw new BackupError(
      `${root} is not empty, and a rebuild overwrites nothing. Move what is in it away, and try again.`,
    );
}

/** The newest snapshot of all replicas of a shard. */
async function newestSnapshot(
  config: Config,
  shard: string,
  from: string,
): Promise<{ target: BackupTarget; manifest: Snapshot }> {
  let newest: { readonly target: BackupTarget; readonly id: string } | undefined;
  const replicas = config.questdb.shards.find(({ name }) => name === shard)?.replicas ?? [];
  for (const { name: replica } of replicas) {
    const place = placeOfReplica(from, { shard, replica });
    // A replica of which no snapshot was made has no directory.
    const target = await openSource(place, config).catch((error: unknown) => {
      if (!(error instanceof BackupError)) throw error;
    });
    const id = target && (await listBackups(target)).at(-1);
    if (target !== undefined && id !== undefined && (newest === undefined || id > newest.id)) newest = { target, id };
  }
  if (newest === undefined)
    throw new BackupError(
      `${from} has no snapshot of a replica of ${shard}. Name the place that npm run consumer -- --snapshot-to wrote to.`,
    );
  const manifest = await findBackup(newest.target, newest.id);
  const { replica } = manifest;
  if (replica?.shard !== shard)
    throw new BackupError(`${newest.target.place} has no snapshots of ${shard}. Name another place.`);
  return { target: newest.target, manifest: { ...manifest, replica } };
}

/** Rows between the snapshot and the first message of the log would be missing. */
function refuseTooOld({ replica, takenAt, id }: Snapshot, { place }: BackupTarget, first: Positions): void {
  if (!hasReached(replica.offsets, offsetsOf(first)))
    throw new BackupError(
      `The log no longer has the rows that came after the snapshot ${id} at ${place}, of ${takenAt}. Make a new one of another replica.`,
    );
}

/** Unpacks the files beside the data root first, so that a killed rebuild leaves an empty root. */
async function fill(root: string, target: BackupTarget, manifest: Manifest, onProgress: OnProgress): Promise<void> {
  const home = dirname(root);
  const draft = join(home, ".rebuild");
  const unpacked = join(draft, "questdb");
  try {
    await rm(draft, { recursive: true, force: true });
    await mkdir(draft, { recursive: true, mode: 0o700 });
    await unpackBackup(target, manifest, draft, onProgress);
    await rm(join(home, ".checkpoint"), { recursive: true, force: true });
    await rename(join(unpacked, ".checkpoint"), join(home, ".checkpoint"));
    // Makes QuestDB restore the checkpoint among its files at its next start.
    await writeFile(join(home, "_restore"), "");
    await rmdir(root).catch(whenMissing);
    await rename(join(unpacked, basename(root)), root);
    await rm(draft, { recursive: true, force: true });
  } catch (error) {
    if (!hasCode(error, "ENOSPC", "EDQUOT", "EACCES", "EPERM", "EROFS", "ENOTEMPTY", "EBUSY", "EXDEV", "ENOENT"))
      throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new BackupError(`${root} cannot be filled (${reason}). Correct that, and try again.`);
  }
}
