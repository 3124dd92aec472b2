import { hostname } from "node:os";
import type { Pool } from "pg";

type Database = Pick<Pool, "query">;

/** Files that an erasure could not wait for: the worker of their machine does not run. They are removed when it starts again. */
export type StorageAway = { readonly place: string; readonly lastSeenAt: string };

/** Workers report each ten seconds; one that crashed is back in less than this. */
const isAway = "seen_at < clock_timestamp() - interval '30 seconds'";

/** Reports that a worker runs beside a directory of exports. */
export async function reportStorage(postgres: Database, id: string, directory: string): Promise<void> {
  await postgres.query(
    `INSERT INTO export_storages (id, place) VALUES ($1, $2)
     ON CONFLICT (id) DO UPDATE SET place = excluded.place, seen_at = clock_timestamp()`,
    [id, `${hostname()}:${directory}`],
  );
}

/** Has the files of an export that begins lie beside a worker. Resolves to where they lie then; null where every worker reaches them. */
export async function chooseStorage(
  postgres: Database,
  exportId: string,
  local: { readonly id: string } | undefined,
): Promise<string | null> {
  if (local === undefined) return null;
  const { rows } = await postgres.query<{ id: string }>(
    `UPDATE exports SET storage_id = coalesce(storage_id, $2) WHERE id = $1 AND status = 'processing' RETURNING storage_id AS id`,
    [exportId, local.id],
  );
  return rows[0]?.id ?? null;
}

/** Where files of an export still are: "gone", or a place whose worker runs, or does not. */
export async function whereFilesAre(
  postgres: Database,
  exportId: string,
): Promise<"gone" | { readonly place: string; readonly isAway: boolean }> {
  const { rows } = await postgres.query<{ place: string | null; isAway: boolean | null }>(
    `SELECT place, ${isAway} AS "isAway" FROM exports LEFT JOIN export_storages storage ON storage.id = storage_id
     WHERE exports.id = $1 AND removed_at IS NULL`,
    [exportId],
  );
  const [row] = rows;
  return row === undefined ? "gone" : { place: row.place ?? "a machine", isAway: row.isAway ?? true };
}

/** Places that still have files of exports that an erasure withdrew, and whose workers do not run. */
export async function storagesAway(postgres: Database, deletionId: string): Promise<StorageAway[]> {
  const { rows } = await postgres.query<{ place: string; seenAt: Date }>(
    `SELECT DISTINCT place, seen_at AS "seenAt" FROM exports JOIN export_storages storage ON storage.id = storage_id
     WHERE withdrawn_by = $1 AND removed_at IS NULL ORDER BY place`,
    [deletionId],
  );
  return rows.map(({ place, seenAt }) => ({ place, lastSeenAt: seenAt.toISOString() }));
}
