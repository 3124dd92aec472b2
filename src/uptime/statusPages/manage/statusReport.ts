import type { JsonObject } from "@bufbuild/protobuf";
import type { Pool } from "pg";
import type { EveryField } from "../../../call/everyField.ts";
import type { StatusReportInit } from "../../../gen/lookout/services.ts";
import type { StatusReportSchema } from "../../../gen/lookout/v1/status_report_pb.ts";
import { epochMs } from "../../../store/postgres/epochMs.ts";

export type ReportStatus = "investigating" | "identified" | "monitoring" | "resolved";

/** An update of a report. Times are Unix ms. */
export type ReportUpdate = {
  readonly id: string;
  readonly status: ReportStatus;
  readonly text: string;
  readonly postedMs: number;
};

/** A row of the table status_reports. Times are Unix ms; `resolvedMs` is null while it lasts. */
export type StatusReport = {
  readonly id: string;
  readonly pageId: string;
  readonly title: string;
  readonly status: ReportStatus;
  readonly monitorIds: readonly string[];
  readonly incidentId: string | null;
  readonly startedMs: number;
  readonly resolvedMs: number | null;
};

/** A report with its updates, newest first. */
export type WholeReport = StatusReport & { readonly updates: readonly ReportUpdate[] };

/** Columns of the table status_reports, as a StatusReport names them. */
export const statusReportColumns = `status_reports.id, status_reports.page_id AS "pageId", status_reports.title, status_reports.status,
  status_reports.monitor_ids AS "monitorIds", status_reports.incident_id AS "incidentId",
  ${epochMs("status_reports.started_at")} AS "startedMs", ${epochMs("status_reports.resolved_at")} AS "resolvedMs"`;

/** Reports with their updates, in the given order. */
export async function withUpdates(
  client: Pick<Pool, "query">,
  reports: readonly StatusReport[],
): Promise<WholeReport[]> {
  if (reports.length === 0) return [];
  const { rows } = await client.query<ReportUpdate & { reportId: string }>(
    `SELECT id, report_id AS "reportId", status, text, ${epochMs("posted_at")} AS "postedMs" FROM status_report_updates
     WHERE report_id = ANY($1) ORDER BY posted_at DESC, id`,
    [reports.map(({ id }) => id)],
  );
  const updatesOf = Map.groupBy(rows, ({ reportId }) => reportId);
  return reports.map((report) => ({ ...report, updates: updatesOf.get(report.id) ?? [] }));
}

/** Reports about an incident on the pages of its website, oldest first. */
export async function reportsAbout(
  client: Pick<Pool, "query">,
  incidentId: string,
  websiteId: string,
  limit: number,
): Promise<StatusReportInit[]> {
  const { rows } = await client.query<StatusReport>(
    `SELECT ${statusReportColumns} FROM status_reports JOIN status_pages ON status_pages.id = status_reports.page_id
     WHERE status_reports.incident_id = $1 AND status_pages.website_id = $2 ORDER BY status_reports.created_at, status_reports.id LIMIT $3`,
    [incidentId, websiteId, limit],
  );
  return (await withUpdates(client, rows)).map(statusReportMessage);
}

/** A report as answers of the API show it. */
export function statusReportMessage(report: WholeReport): StatusReportInit {
  return {
    id: report.id,
    pageId: report.pageId,
    title: report.title,
    status: report.status,
    monitorIds: [...report.monitorIds],
    incidentId: report.incidentId ?? undefined,
    startedAt: new Date(report.startedMs).toISOString(),
    resolvedAt: report.resolvedMs === null ? undefined : new Date(report.resolvedMs).toISOString(),
    updates: report.updates.map(({ id, status, text, postedMs }) => ({
      id,
      status,
      text,
      postedAt: new Date(postedMs).toISOString(),
    })),
  } satisfies EveryField<typeof StatusReportSchema>;
}

/** A report as the audit log records it, with the text of its last update. */
export function auditedReport({ title, status, monitorIds, incidentId, updates }: WholeReport): JsonObject {
  return { title, status, monitorIds: [...monitorIds], incidentId, text: updates[0]?.text ?? "" };
}
