import { randomUUID } from "node:crypto";
import type { PoolClient } from "pg";
import { type StatusReport, statusReportColumns, type WholeReport, withUpdates } from "./statusReport.ts";

/**
 * Adds an update to a report and gives the report its status. Times are those of PostgreSQL, so that updates keep their
 * order when several processes write them.
 */
export async function insertUpdate(
  client: PoolClient,
  reportId: string,
  { status, text }: { readonly status: string; readonly text: string },
): Promise<WholeReport> {
  await client.query(
    `INSERT INTO status_report_updates (id, report_id, status, text, posted_at) VALUES ($1, $2, $3, $4, clock_timestamp())`,
    [randomUUID(), reportId, status, text.trim()],
  );
  const { rows } = await client.query<StatusReport>(
    `UPDATE status_reports SET status = $2, resolved_at = CASE WHEN $2 = 'resolved' THEN coalesce(resolved_at, clock_timestamp()) END
     WHERE id = $1 RETURNING ${statusReportColumns}`,
    [reportId, status],
  );
  const [report] = await withUpdates(client, rows);
  if (report === undefined) throw new Error("PostgreSQL did not return the changed status report");
  return report;
}
