import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve, sep } from "node:path";
import type { Config } from "../../config.ts";
import { BackupError } from "../backupError.ts";
import type { BackupTarget } from "./backupTarget.ts";
import { LocalTarget } from "./localTarget.ts";
import type { S3Place } from "./s3Target.ts";

type Settings = Pick<Config, "stack" | "backup">;

/** Opens a place to read backups from: a directory, or `s3://bucket/folder`. Creates nothing. */
export async function openSource(from: string, settings: Settings): Promise<BackupTarget> {
  const bucket = readS3Place(from);
  if (bucket !== undefined) return await openBucket(bucket, settings);
  const directory = await realpath(resolve(from)).catch(() => undefined);
  if (directory === undefined)
    throw new BackupError(`There is no directory ${resolve(from)}. Name that of your backups with --from.`);
  return new LocalTarget(directory);
}

/**
 * Opens a place to write backups to: a directory, which is created if it is missing, or `s3://bucket/folder`. Rejects with
 * BackupError if it cannot be used.
 */
export async function openTarget(to: string, settings: Settings): Promise<BackupTarget> {
  const bucket = readS3Place(to);
  if (bucket !== undefined) return await openBucket(bucket, settings);
  const wanted = resolve(to);
  let directory: string;
  try {
    await mkdir(wanted, { recursive: true, mode: 0o700 });
    directory = await realpath(wanted);
    await rm(await mkdtemp(join(directory, ".writable-")), { recursive: true });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new BackupError(`Cannot write to ${wanted} (${reason}). Name a directory you may write to with --to.`);
  }
  const { dataDir } = settings.stack;
  if (`${directory}${sep}`.startsWith(`${await realpath(dataDir)}${sep}`))
    throw new BackupError(
      `${wanted} is inside DATA_DIR (${dataDir}), and would be lost with it. Name another directory with --to.`,
    );
  return new LocalTarget(directory);
}

/** The bucket that an address names; undefined for a path. Throws BackupError for an address of another kind. */
export function readS3Place(text: string): S3Place | undefined {
  const [, bucket, folder = ""] = /^s3:\/\/([^/]+)\/?(.*?)\/*$/.exec(text) ?? [];
  if (bucket !== undefined) return { bucket, folder };
  if (!/^[a-z0-9+]+:\/\//i.test(text)) return undefined;
  throw new BackupError(`Backups are kept in a directory or at s3://bucket/folder, not at ${text}.`);
}

async function openBucket(place: S3Place, { backup }: Settings): Promise<BackupTarget> {
  // The library takes about 40 MB, so it is only loaded for a bucket.
  const { S3Target } = await import("./s3Target.ts");
  return new S3Target(place, backup.s3, join(tmpdir(), `lookout-backup-${process.pid}`));
}
