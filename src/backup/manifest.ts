import type { Offsets } from "../durableLog/offsets.ts";
import type { ReplicaName } from "../store/questdb/questdbs.ts";
import { BackupError } from "./backupError.ts";

/** The format of backups that this version writes and reads. */
export const formatVersion = 1;

/** A file of a backup. `path` begins with one of `places`. */
export type BackedUpFile = {
  readonly path: string;
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
  /** Of a file on disk: when it last changed (Unix ms), and its inode. They show the next backup that it is the same. */
  readonly changedMs?: number;
  readonly inode?: number;
};

/** Files that are stored together and compressed as the object `objects/<object>`. */
export type BackupPart = {
  /** Unique in the backup. */
  readonly name: string;
  /** SHA-256 of the list of its files and its size. Parts with the same files are stored once. */
  readonly object: string;
  /** The size of the object; manifests of earlier versions lack it. */
  readonly storedBytes?: number;
  readonly files: readonly BackedUpFile[];
};

/** Rows by UTC day (YYYY-MM-DD). */
export type RowsByDay = Readonly<Record<string, number>>;

/** The contents of a backup. It is written last, so a backup with a manifest is complete. Times are ISO 8601. */
export type Manifest = {
  readonly format: typeof formatVersion;
  /** The version of Lookout that wrote it. */
  readonly program: string;
  readonly id: string;
  readonly startedAt: string;
  /** The point in time of the backup: everything acknowledged before is in it. */
  readonly takenAt: string;
  readonly finishedAt: string;
  /** The installation that wrote it (table `installation`): backups of different installations must not mix. */
  readonly installation: string;
  /** Migrations of PostgreSQL, in order. */
  readonly migrations: readonly string[];
  /** Rows by table. */
  readonly postgres: Readonly<Record<string, number>>;
  /** The last number that each sequence of PostgreSQL gave. */
  readonly sequences: Readonly<Record<string, number>>;
  /** Rows by table and day. */
  readonly questdb: Readonly<Record<string, RowsByDay>>;
  readonly parts: readonly BackupPart[];
  /** Of a snapshot, which has only QuestDB: its replica, and the offsets up to which it has the log of the brokers. */
  readonly replica?: ReplicaName & { readonly offsets: Offsets };
  /** Bytes of all files, and bytes that this backup added to the target. */
  readonly bytes: number;
  readonly bytesWritten: number;
};

/** Where the paths of files begin: QuestDB's directory, tables of PostgreSQL, and DATA_DIR. */
export const places = { questdb: "questdb/", postgres: "postgres/", dataDir: "data/" } as const;

/** The bytes of all files. */
export function sizeOf(parts: readonly BackupPart[]): number {
  return parts.reduce((sum, { files }) => sum + files.reduce((of, { bytes }) => of + bytes, 0), 0);
}

export const objectName = (object: string): string => `objects/${object}`;
export const manifestName = (id: string): string => `backups/${id}.json`;

/** The id of a backup that starts now; ids sort by time: 20261124T003512345Z. */
export function backupId(nowMs: number): string {
  return new Date(nowMs).toISOString().replace(/[-:.]/g, "");
}

/** When the backup with this id began, Unix ms. */
export function startOf(id: string): number {
  return Date.parse(id.replace(/^(\d{4})(\d\d)(\d\dT\d\d)(\d\d)(\d\d)(\d{3}Z)$/, "$1-$2-$3:$4:$5.$6"));
}

/** The ids of the backups among the names in a target, oldest first. */
export function idsOf(names: readonly string[]): string[] {
  return names.flatMap((name) => /^backups\/(\d{8}T\d{9}Z)\.json$/.exec(name)?.[1] ?? []).sort();
}

/** Throws BackupError when the text is not a manifest, or is one of a later format. */
export function parseManifest(text: string, place: string): Manifest {
  let read: Partial<Manifest> | null;
  try {
    read = JSON.parse(text);
  } catch {
    throw damaged(place);
  }
  if (typeof read !== "object" || typeof read?.format !== "number") throw damaged(place);
  if (read.format > formatVersion)
    throw new BackupError(
      `The backup ${place} was written by a newer version of Lookout (${read.program}). Use that version or a later one.`,
    );
  if (!hasContent(read)) throw damaged(place);
  return read as Manifest;
}

/**
 * Any program that can write to the place of a backup can change its manifest. So it is read as data, and refused unless it has
 * what backups have.
 */
function hasContent({ parts, questdb, postgres, sequences, migrations, takenAt }: Partial<Manifest>): boolean {
  return (
    Array.isArray(parts) &&
    parts.every(isPart) &&
    Array.isArray(migrations) &&
    migrations.every((name) => typeof name === "string") &&
    typeof takenAt === "string" &&
    !Number.isNaN(Date.parse(takenAt)) &&
    isRecord(questdb) &&
    Object.values(questdb).every((days) => isRecord(days) && Object.values(days).every(isCount)) &&
    [postgres, sequences].every((counts) => isRecord(counts) && Object.values(counts).every(isCount))
  );
}

function isPart(part: unknown): boolean {
  if (!isRecord(part)) return false;
  const { name, object, files } = part;
  return typeof name === "string" && isSha256(object) && Array.isArray(files) && files.every(isFile);
}

function isFile(file: unknown): boolean {
  return isRecord(file) && typeof file["path"] === "string" && isCount(file["bytes"]) && isSha256(file["sha256"]);
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
const isSha256 = (value: unknown): boolean => typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;

function damaged(place: string): DamagedManifestError {
  return new DamagedManifestError(
    `${place} is not the manifest of a backup, or is damaged. Remove it, or name another backup.`,
  );
}

/** A manifest cannot be read. Other backups of the place still can. */
export class DamagedManifestError extends BackupError {
  override name = "DamagedManifestError";
}
