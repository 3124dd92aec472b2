import type { ListStatusReportsReply } from "../../../gen/lookout/services.ts";
import type { ListStatusReportsRequest } from "../../../gen/lookout/v1/status_report_pb.ts";
import type { UptimeCall } from "../../uptimeCall.ts";
import { findStatusPage } from "./findStatusPage.ts";
import { type StatusReport, statusReportColumns, statusReportMessage, withUpdates } from "./statusReport.ts";

const defaultLimit = 50;

/** POST /uptime/status-reports/list: the reports of a page, newest first, page by page. Rejects with NOT_FOUND (the page). */
export async function listStatusReports(
  { pageId, limit = defaultLimit, cursor }: ListStatusReportsRequest,
  call: UptimeCall,
): Promise<ListStatusReportsReply> {
  const { postgres } = call.app;
  const page = await findStatusPage(postgres, pageId, call);
  const { rows } = await postgres.query<StatusReport>(
    `SELECT ${statusReportColumns} FROM status_reports
     WHERE page_id = $1
       AND ($2::text IS NULL OR (created_at, id) < (SELECT created_at, id FROM status_reports WHERE id = $2 AND page_id = $1))
     ORDER BY created_at DESC, id DESC LIMIT $3`,
    [page.id, cursor ?? null, limit + 1],
  );
  const reports = await withUpdates(postgres, rows.slice(0, limit));
  const last = reports.at(-1);
  return {
    reports: reports.map(statusReportMessage),
    ...(rows.length > limit && last !== undefined ? { nextCursor: last.id } : {}),
  };
}
