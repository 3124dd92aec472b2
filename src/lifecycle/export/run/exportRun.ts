import type { Pool } from "pg";
import { type ExportRow, type ExportStatus, exportColumns } from "../request/exportRow.ts";
import type { PackedArchive } from "./packArchive.ts";

/** How PostgreSQL follows the run of an export. Only an export that is processing moves on; each function says whether it does. */
type Database = Pick<Pool, "query">;

export async function readExport(postgres: Database, id: string): Promise<ExportRow | undefined> {
  const { rows } = await postgres.query<ExportRow>(`SELECT ${exportColumns} FROM exports WHERE id = $1`, [id]);
  return rows[0];
}

/** Notes how many rows there are to write, until the first is written. */
export async function noteTotal(postgres: Database, id: string, rows: number): Promise<boolean> {
  const { rowCount } = await postgres.query(
    "UPDATE exports SET rows_total = $2 WHERE id = $1 AND status = 'processing' AND rows_written = 0",
    [id, rows],
  );
  return rowCount === 1;
}

/** Notes how many rows are written, those of all parts before included. */
export async function noteWritten(postgres: Database, id: string, rows: number): Promise<boolean> {
  const { rowCount } = await postgres.query(
    `UPDATE exports SET rows_written = $2, started_at = coalesce(started_at, now()) WHERE id = $1 AND status = 'processing'`,
    [id, rows],
  );
  return rowCount === 1;
}

/** Notes how many rows are in the archive. */
export async function notePacked(postgres: Database, id: string, rows: number): Promise<boolean> {
  const { rowCount } = await postgres.query(
    `UPDATE exports SET rows_packed = $2, packing_at = coalesce(packing_at, now()) WHERE id = $1 AND status = 'processing'`,
    [id, rows],
  );
  return rowCount === 1;
}

/** From now on the archive can be downloaded, and what it holds is all there was. Until when, Unix ms; undefined when the export was ended meanwhile. Doing it again changes nothing. */
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

/** Ends an export, which is expired where it was done; one that has ended stays as it is. Resolves to how it has ended. */
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

/** In the words in which the API tells it. */
export type ExportEnd = { readonly status: ExportStatus; readonly reason: string };

/** From now on the archive cannot be downloaded any more. */
export async function expire(postgres: Database, id: string): Promise<void> {
  await postgres.query(
    `UPDATE exports SET status = 'expired', ended_at = now() WHERE id = $1 AND status = 'completed'`,
    [id],
  );
}

/** Notes that no file of an export that has ended is left. */
export async function noteRemoved(postgres: Database, id: string): Promise<void> {
  await postgres.query("UPDATE exports SET removed_at = now() WHERE id = $1 AND removed_at IS NULL", [id]);
}
