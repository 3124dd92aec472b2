import { randomUUID } from "node:crypto";
import { recordAudit } from "../../../audit/recordAudit.ts";
import { validationError } from "../../../errors/errors.ts";
import type { CreateStatusReportReply } from "../../../gen/lookout/services.ts";
import { type CreateStatusReportRequest, StatusReportService } from "../../../gen/lookout/v1/status_report_pb.ts";
import { type Commit, once } from "../../../idempotency/once.ts";
import { epochMs } from "../../../store/postgres/epochMs.ts";
import { requireMonitors } from "../../monitor/requireMonitors.ts";
import type { UptimeCall } from "../../uptimeCall.ts";
import { findStatusPage } from "./findStatusPage.ts";
import { insertUpdate } from "./insertUpdate.ts";
import { requireTexts } from "./readPageFields.ts";
import { auditedReport, statusReportMessage } from "./statusReport.ts";

/** POST /uptime/status-reports/create. Rejects with VALIDATION_ERROR and NOT_FOUND (the page). */
export const createStatusReport = once(StatusReportService.method.createStatusReport, make);

async function make(
  request: CreateStatusReportRequest,
  call: UptimeCall,
  commit: Commit<CreateStatusReportReply>,
): Promise<CreateStatusReportReply> {
  const { postgres, statusPages } = call.app;
  const { title, text, status, incidentId } = request;
  requireTexts({ title, text });
  const page = await findStatusPage(postgres, request.pageId, call);
  const named = request.monitorIds.map((id, index) => ({ id, field: `monitorIds[${index}]` }));
  await requireMonitors(named, page.websiteId, call);
  const incident = incidentId === undefined ? undefined : await findIncident(incidentId, page.websiteId, call);
  const monitorIds = new Set([...(incident === undefined ? [] : [incident.monitorId]), ...request.monitorIds]);
  const { reply } = await commit(
    async (client) => {
      const id = randomUUID();
      await client.query(
        `INSERT INTO status_reports (id, page_id, title, status, monitor_ids, incident_id, started_at)
       VALUES ($1, $2, $3, $4, $5, $6, to_timestamp($7::float8 / 1000))`,
        [id, page.id, title.trim(), status, [...monitorIds], incident?.id ?? null, incident?.startedMs ?? Date.now()],
      );
      const made = await insertUpdate(client, id, { status, text });
      await recordAudit(client, call, {
        action: "status_report.create",
        objectId: id,
        websiteId: page.websiteId,
        after: auditedReport(made),
      });
      return made;
    },
    (report) => ({ report: statusReportMessage(report) }),
  );
  statusPages.forget(page.slug);
  return reply;
}

type KnownIncident = { readonly id: string; readonly monitorId: string; readonly startedMs: number };

/** Rejects with VALIDATION_ERROR for what is no incident of one of the website's monitors. */
async function findIncident(id: string, websiteId: string, { app }: UptimeCall): Promise<KnownIncident> {
  const { rows } = await app.postgres.query<KnownIncident>(
    `SELECT incidents.id, monitor_id AS "monitorId", ${epochMs("started_at")} AS "startedMs"
     FROM incidents JOIN monitors ON monitors.id = monitor_id WHERE incidents.id = $1 AND website_id = $2`,
    [id, websiteId],
  );
  const [incident] = rows;
  if (incident !== undefined) return incident;
  throw validationError([
    { field: "incidentId", message: "is no incident of the website's monitors; POST /uptime/incidents lists them" },
  ]);
}
