import { recordAudit } from "../../../audit/recordAudit.ts";
import type { DeleteStatusPageReply } from "../../../gen/lookout/services.ts";
import type { DeleteStatusPageRequest } from "../../../gen/lookout/v1/status_page_pb.ts";
import { inTransaction } from "../../../store/postgres/inTransaction.ts";
import type { UptimeCall } from "../../uptimeCall.ts";
import { findStatusPage } from "./findStatusPage.ts";
import { auditedPage } from "./statusPage.ts";

/** POST /uptime/status-pages/delete: removes a page with its reports. Rejects with NOT_FOUND. */
export async function deleteStatusPage(
  { id }: DeleteStatusPageRequest,
  call: UptimeCall,
): Promise<DeleteStatusPageReply> {
  const { postgres, statusPages } = call.app;
  const page = await inTransaction(postgres, async (client) => {
    const found = await findStatusPage(client, id, call, true);
    await client.query("DELETE FROM status_pages WHERE id = $1", [found.id]);
    await recordAudit(client, call, {
      action: "status_page.delete",
      objectId: found.id,
      websiteId: found.websiteId,
      before: auditedPage(found),
    });
    return found;
  });
  statusPages.forget(page.slug);
  return { success: true };
}
