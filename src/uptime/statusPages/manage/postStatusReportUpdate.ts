import { recordAudit } from "../../../audit/recordAudit.ts";
import { ApiError } from "../../../errors/errors.ts";
import type { PostStatusReportUpdateReply } from "../../../gen/lookout/services.ts";
import { type PostStatusReportUpdateRequest, StatusReportService } from "../../../gen/lookout/v1/status_report_pb.ts";
import { type Commit, once } from "../../../idempotency/once.ts";
import type { UptimeCall } from "../../uptimeCall.ts";
import { findStatusReport } from "./findStatusReport.ts";
import { insertUpdate } from "./insertUpdate.ts";
import { requireTexts } from "./readPageFields.ts";
import { statusReportMessage } from "./statusReport.ts";

/** Updates of one report; the page shows all of them. */
const mostUpdates = 200;

/** POST /uptime/status-reports/update. Rejects with VALIDATION_ERROR, NOT_FOUND and CONFLICT (too many updates). */
export const postStatusReportUpdate = once(StatusReportService.method.postStatusReportUpdate, make);

async function make(
  { id, status, text }: PostStatusReportUpdateRequest,
  call: UptimeCall,
  commit: Commit<PostStatusReportUpdateReply>,
): Promise<PostStatusReportUpdateReply> {
  const { statusPages } = call.app;
  requireTexts({ text });
  const { made, reply } = await commit(
    async (client) => {
      const found = await findStatusReport(client, id, call);
      if (found.report.updates.length >= mostUpdates)
        throw new ApiError(
          "CONFLICT",
          `The report has ${mostUpdates} updates, and more are not possible. Create another report`,
        );
      const after = await insertUpdate(client, id, { status, text });
      await recordAudit(client, call, {
        action: "status_report.update",
        objectId: id,
        websiteId: found.page.websiteId,
        before: { status: found.report.status },
        after: { status, text },
      });
      return { report: after, slug: found.page.slug };
    },
    ({ report }) => ({ report: statusReportMessage(report) }),
  );
  statusPages.forget(made.slug);
  return reply;
}
