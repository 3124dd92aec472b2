import type { Pool } from "pg";
import { dayMs } from "../../time/utcDay.ts";
import { BackupError } from "../backupError.ts";

/** A row of the table `deletions` in PostgreSQL's JSON. Only the columns named here are used. */
export type DeletionRow = {
  readonly id: string;
  readonly website_id: string;
  /** ISO 8601; null until completed. */
  readonly completed_at: string | null;
  readonly [column: string]: unknown;
};

/** What a run of retention erased: all rows of one kind of data of a website on a UTC day (YYYY-MM-DD). */
export type ErasedDay = {
  readonly websiteId: string;
  readonly kind: string;
  readonly day: string;
  readonly rows: number;
};

/** A finished run of retention; times are ISO 8601. */
export type RetentionReceipt = {
  readonly id: string;
  readonly websiteId: string | null;
  readonly dueAt: string;
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly erased: readonly ErasedDay[];
};

/** A deleted website, which is erased 90 days later; ISO 8601. */
export type DeletedWebsite = { readonly id: string; readonly deletedAt: string };

/** A row of the table `backups` in PostgreSQL's JSON. */
export type BackupRow = { readonly id: string; readonly [column: string]: unknown };

/** What was erased. Kept beside the backups, and erased again after a restore. Contains no text of the erased data. */
export type Receipts = {
  readonly format: typeof receiptsFormat;
  /** ISO 8601. */
  readonly writtenAt: string;
  /** Requested before `writtenAt`, and completed recently or not yet. */
  readonly deletions: readonly DeletionRow[];
  readonly retention: readonly RetentionReceipt[];
  readonly websites: readonly DeletedWebsite[];
  /** The backups that hold data, so that later receipts can say until when they do. */
  readonly backups: readonly BackupRow[];
};

/** The parts of receipts that are applied. */
export type Applicable = Omit<Receipts, "format" | "writtenAt">;

const receiptsFormat = 1;

export const noReceipts: Receipts = {
  format: receiptsFormat,
  writtenAt: "",
  deletions: [],
  retention: [],
  websites: [],
  backups: [],
};

/** The file of a target with the receipts. */
export const receiptsName = "receipts.json";

/** Longer than any backup is kept. */
const keptDays = 40;

/** The receipts of the last 40 days. */
export async function collectReceipts(postgres: Pick<Pool, "query">, nowMs: number): Promise<Receipts> {
  const { rows: deletions } = await postgres.query<{ row: DeletionRow }>(
    `SELECT row_to_json(deletions) AS row FROM deletions
     WHERE completed_at IS NULL OR completed_at > now() - $1 * interval '1 day' ORDER BY created_at, id`,
    [keptDays],
  );
  const { rows: retention } = await postgres.query<{ row: RetentionReceipt }>(
    `SELECT json_build_object('id', run.id, 'websiteId', run.website_id, 'dueAt', due_at, 'startedAt', started_at,
       'finishedAt', finished_at, 'erased', json_agg(json_build_object(
         'websiteId', erased.website_id, 'kind', kind, 'day', day, 'rows', rows) ORDER BY day)) AS row
     FROM retention_runs run JOIN retention_erased erased ON erased.run_id = run.id
     WHERE finished_at > now() - $1 * interval '1 day' GROUP BY run.id ORDER BY finished_at`,
    [keptDays],
  );
  const { rows: websites } = await postgres.query<{ row: DeletedWebsite }>(
    `SELECT json_build_object('id', id, 'deletedAt', deleted_at) AS row FROM websites
     WHERE deleted_at > now() - $1 * interval '1 day' ORDER BY deleted_at`,
    [keptDays],
  );
  const { rows: backups } = await postgres.query<{ row: BackupRow }>(
    "SELECT row_to_json(backups) AS row FROM backups WHERE finished_at IS NOT NULL AND removed_at IS NULL ORDER BY id",
  );
  return {
    format: receiptsFormat,
    writtenAt: new Date(nowMs).toISOString(),
    deletions: deletions.map(({ row }) => row),
    retention: retention.map(({ row }) => row),
    websites: websites.map(({ row }) => row),
    backups: backups.map(({ row }) => row),
  };
}

/** Throws BackupError when the text is not a file of receipts. */
export function parseReceipts(text: string, place: string): Receipts {
  let read: Partial<Receipts> | null = null;
  try {
    read = JSON.parse(text);
  } catch {
    // Reported below.
  }
  const lists = [read?.deletions, read?.retention, read?.websites, read?.backups];
  if (!lists.every(Array.isArray))
    throw new DamagedReceiptsError(
      `${place} is no file of receipts. Name a copy of receipts.json from your backups, or a DATA_DIR, with --receipts.`,
    );
  if (read?.format !== receiptsFormat)
    throw new BackupError(`${place} was written by a newer version of Lookout. Use that version or a later one.`);
  return read as Receipts;
}

/** The text is not a file of receipts of any version. */
export class DamagedReceiptsError extends BackupError {
  override name = "DamagedReceiptsError";
}

/**
 * All receipts of several sources, each once. Of a deletion the completed receipt is taken; deleted websites and backups are
 * those of the newest source.
 */
export function mergeReceipts(sources: readonly Receipts[]): Applicable {
  const deletions = new Map<string, DeletionRow>();
  for (const deletion of sources.flatMap((source) => source.deletions))
    if (deletion.completed_at !== null || !deletions.has(deletion.id)) deletions.set(deletion.id, deletion);
  const retention = new Map(sources.flatMap((source) => source.retention).map((run) => [run.id, run]));
  const newest = sources.toSorted((one, other) => (one.writtenAt < other.writtenAt ? 1 : -1))[0];
  return {
    deletions: [...deletions.values()],
    retention: [...retention.values()],
    websites: newest?.websites ?? [],
    backups: newest?.backups ?? [],
  };
}

/** What to write beside the backups: what this installation knows, and the erasures there that it does not know. */
export function withReceiptsThere(own: Receipts, there: Receipts, nowMs: number): Receipts {
  const { deletions, retention } = mergeReceipts([there, own]);
  const oldestMs = nowMs - keptDays * dayMs;
  return {
    ...own,
    deletions: deletions.filter((each) => each.completed_at === null || Date.parse(each.completed_at) > oldestMs),
    retention: retention.filter(({ finishedAt }) => Date.parse(finishedAt) > oldestMs),
  };
}

/** The receipts that finished after a backup was taken (Unix ms), or have not finished. */
export function receiptsAfter({ deletions, retention, websites, backups }: Applicable, takenMs: number): Applicable {
  return {
    deletions: deletions.filter((each) => each.completed_at === null || Date.parse(each.completed_at) >= takenMs),
    retention: retention.filter(({ finishedAt }) => Date.parse(finishedAt) >= takenMs),
    backups,
    websites: websites.filter(({ deletedAt }) => Date.parse(deletedAt) >= takenMs),
  };
}
