import type { Pool } from "pg";
import { notFound } from "../../monitor/findMonitor.ts";
import type { UptimeCall } from "../../uptimeCall.ts";
import { findStatusPage } from "./findStatusPage.ts";
import type { StatusPage } from "./statusPage.ts";
import { type StatusReport, statusReportColumns, type WholeReport, withUpdates } from "./statusReport.ts";

/**
 * A report of a page that the caller may use, locked until the transaction of `client` ends, and the page. Rejects with
 * NOT_FOUND, with the same text for what does not exist and what belongs to another organization.
 */
export async function findStatusReport(
  client: Pick<Pool, "query">,
  id: string,
  call: UptimeCall,
): Promise<{ readonly report: WholeReport; readonly page: StatusPage }> {
  const missing = notFound("status report", "POST /uptime/status-reports/list lists those of a page");
  const { rows } = await client.query<StatusReport>(
    `SELECT ${statusReportColumns} FROM status_reports WHERE id = $1 FOR UPDATE`,
    [id],
  );
  const [report] = await withUpdates(client, rows);
  if (report === undefined) throw missing;
  return { report, page: await findStatusPage(client, report.pageId, call, false, missing) };
}
