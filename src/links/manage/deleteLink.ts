import { recordAudit } from "../../audit/recordAudit.ts";
import type { DeleteLinkReply } from "../../gen/lookout/services.ts";
import type { DeleteLinkRequest } from "../../gen/lookout/v1/links_pb.ts";
import { inTransaction } from "../../store/postgres/inTransaction.ts";
import { auditedLink } from "../link.ts";
import type { LinkCall } from "../linkCall.ts";
import { findLink } from "./findLink.ts";
import { updateLinkRow } from "./updateLinkRow.ts";

/**
 * POST /links/delete: the link stops redirecting, here at once and in other processes within CACHE_MS; its clicks
 * can still be queried. Rejects with NOT_FOUND, also for one that is deleted already.
 */
export async function deleteLink({ id }: DeleteLinkRequest, call: LinkCall): Promise<DeleteLinkReply> {
  const { app } = call;
  const link = await inTransaction(app.postgres, async (client) => {
    const before = await findLink(client, id, call.caller, true);
    // The password can never be used again.
    const after = await updateLinkRow(client, before.id, { deleted_at: new Date(), password_hash: null });
    await recordAudit(client, call, {
      action: "link.delete",
      objectId: after.id,
      websiteId: after.websiteId,
      before: auditedLink(before),
    });
    return after;
  });
  app.links.forget(link.slug);
  return { success: true };
}
