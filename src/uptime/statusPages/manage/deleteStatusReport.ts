import { recordAudit } from "../../../audit/recordAudit.ts";
import type { DeleteStatusReportReply } from "../../../gen/lookout/services.ts";
import type { DeleteStatusReportRequest } from "../../../gen/lookout/v1/status_report_pb.ts";
import { inTransaction } from "../../../store/postgres/inTransaction.ts";
import type { UptimeCall } from "../../uptimeCall.ts";
import { findStatusReport } from "./findStatusReport.ts";
import { auditedReport } from "./statusReport.ts";

/** POST /uptime/status-reports/delete: removes a report with its updates. Rejects with NOT_FOUND. */
export async function deleteStatusReport(
  { id }: DeleteStatusReportRequest,
  call: UptimeCall,
): Promise<DeleteStatusReportReply> {
  const { postgres, statusPages } = call.app;
  const page = await inTransaction(postgres, async (client) => {
    const found = await findStatusReport(client, id, call);
    await client.query("DELETE FROM status_reports WHERE id = $1", [id]);
    await recordAudit(client, call, {
      action: "status_report.delete",
      objectId: id,
      websiteId: found.page.websiteId,
      before: auditedReport(found.report),
    });
    return found.page;
  });
  statusPages.forget(page.slug);
  return { success: true };
}
