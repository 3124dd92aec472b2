import type { Pool } from "pg";
import { type ExportRow, type ExportStatus, exportColumns } from "./exportRow.ts";

/**
 * Records the progress of an export's run in PostgreSQL. Only an export that is processing is changed; each function
 * returns whether it was.
 */
type Database = Pick<Pool, "query">;

export async function readExport(postgres: Database, id: string): Promise<ExportRow | undefined> {
  const { rows } = await postgres.query<ExportRow>(`SELECT ${exportColumns} FROM exports WHERE id = $1`, [id]);
  return rows[0];
}

/** What is counted: all rows, until the first is written; those written, also of earlier parts; those in the archive. */
const counts = {
  total: "rows_total = CASE rows_written WHEN 0 THEN $2 ELSE rows_total END",
  written: "rows_written = $2, started_at = coalesce(started_at, now())",
  packed: "rows_packed = $2, packing_at = coalesce(packing_at, now())",
} as const;

export async function recordRows(
  postgres: Database,
  id: string,
  count: keyof typeof counts,
  rows: number,
): Promise<boolean> {
  const { rowCount } = await postgres.query(
    `UPDATE exports SET ${counts[count]} WHERE id = $1 AND status = 'processing'`,
    [id, rows],
  );
  return rowCount === 1;
}

/** The size and the SHA-256 (hexadecimal) of an archive. */
export type PackedArchive = { readonly bytes: number; readonly sha256: string };

/**
 * Completes the export: the archive can be downloaded, and its rows are the total. Resolves to its expiry, Unix ms;
 * undefined when the export was ended meanwhile. Safe to repeat.
 */
export async function complete(
  postgres: Database,
  id: string,
  { bytes, sha256 }: PackedArchive,
): Promise<number | undefined> {
  await postgres.query(
    `UPDATE exports SET status = 'completed', bytes = $2, sha256 = $3, completed_at = now(), rows_total = rows_written,
       expires_at = now() + valid_ms * interval '1 millisecond'
     WHERE id = $1 AND status = 'processing'`,
    [id, bytes, sha256],
  );
  const row = await readExport(postgres, id);
  return row?.status === "completed" ? (row.expiresMs ?? undefined) : undefined;
}

/**
 * Ends an export; a completed one becomes expired, and one that has ended stays as it is. Resolves to its final status.
 */
export async function giveUp(
  postgres: Database,
  id: string,
  status: "failed" | "cancelled",
  reason: string,
): Promise<ExportEnd> {
  await postgres.query(
    `UPDATE exports SET status = CASE status WHEN 'completed' THEN 'expired' ELSE $2 END, reason = $3, ended_at = now()
     WHERE id = $1 AND status IN ('processing', 'completed')`,
    [id, status, reason],
  );
  const row = await readExport(postgres, id);
  return { status: row?.status ?? status, reason: row?.reason ?? reason };
}

/** With the reason as the API shows it. */
export type ExportEnd = { readonly status: ExportStatus; readonly reason: string };

/** Ends the availability of the archive. */
export async function expire(postgres: Database, id: string): Promise<void> {
  await postgres.query(
    `UPDATE exports SET status = 'expired', ended_at = now() WHERE id = $1 AND status = 'completed'`,
    [id],
  );
}

/** Records that no file of an ended export is left. */
export async function recordRemoved(postgres: Database, id: string): Promise<void> {
  await postgres.query("UPDATE exports SET removed_at = now() WHERE id = $1 AND removed_at IS NULL", [id]);
}
