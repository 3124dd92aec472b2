import { hostname } from "node:os";
import type { Pool } from "pg";

type Database = Pick<Pool, "query">;

/** Workers report every ten seconds; one that crashed is back within this time. */
const isSilent = "seen_at < clock_timestamp() - interval '30 seconds'";

/** Reports that a worker is running on the machine of an export directory. */
export async function reportStorage(postgres: Database, id: string, directory: string): Promise<void> {
  await postgres.query(
    `INSERT INTO export_storages (id, place) VALUES ($1, $2)
     ON CONFLICT (id) DO UPDATE SET place = excluded.place, seen_at = clock_timestamp()`,
    [id, `${hostname()}:${directory}`],
  );
}

/**
 * Assigns the files of a new export to this worker's machine. Resolves to the directory's id; null if every worker can
 * reach the files.
 */
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

/** Where the files of an export are: "gone", or a machine, and whether its worker has stopped reporting. */
export async function whereFilesAre(
  postgres: Database,
  exportId: string,
): Promise<"gone" | { readonly place: string; readonly isSilent: boolean }> {
  const { rows } = await postgres.query<{ place: string | null; isSilent: boolean | null }>(
    `SELECT place, ${isSilent} AS "isSilent" FROM exports LEFT JOIN export_storages storage ON storage.id = storage_id
     WHERE exports.id = $1 AND removed_at IS NULL`,
    [exportId],
  );
  const [row] = rows;
  return row === undefined ? "gone" : { place: row.place ?? "a machine", isSilent: row.isSilent ?? true };
}

/**
 * Machines that still have files of exports that an erasure withdrew, and whose workers do not run: the files are removed at their
 * next start. ISO 8601.
 */
export async function storagesAway(
  postgres: Database,
  deletionId: string,
): Promise<{ readonly place: string; readonly lastSeenAt: string }[]> {
  const { rows } = await postgres.query<{ place: string; seenAt: Date }>(
    `SELECT DISTINCT place, seen_at AS "seenAt" FROM exports JOIN export_storages storage ON storage.id = storage_id
     WHERE withdrawn_by = $1 AND removed_at IS NULL ORDER BY place`,
    [deletionId],
  );
  return rows.map(({ place, seenAt }) => ({ place, lastSeenAt: seenAt.toISOString() }));
}
