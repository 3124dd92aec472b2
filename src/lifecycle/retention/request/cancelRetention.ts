import type { CancelRetentionReply } from "../../../gen/lookout/services.ts";
import type { CancelRetentionRequest } from "../../../gen/lookout/v1/websites_pb.ts";
import { answerWebsite } from "../../../websites/answerWebsite.ts";
import { changeWebsite } from "../../../websites/changeWebsite.ts";
import { updateRow } from "../../../websites/updateRow.ts";
import type { DataCall } from "../../dataCall.ts";
import { notifyRetentionCancelled } from "../notifyRetentionChange.ts";

/**
 * POST /websites/retention/cancel: cancels shorter periods that have not taken effect yet. Without any the website
 * stays as it is. Rejects with NOT_FOUND.
 */
export async function cancelRetention({ id }: CancelRetentionRequest, call: DataCall): Promise<CancelRetentionReply> {
  let wasPending = false;
  const website = await changeWebsite(id, call, { name: "website.retention.cancel" }, async (client, before) => {
    wasPending = before.pendingRetention !== null;
    return { website: wasPending ? await updateRow(client, before.id, { pending_retention: null }) : before };
  });
  // A workflow that is not notified, or has ended, finds nothing pending.
  if (wasPending) await notifyRetentionCancelled(call.app, website.id).catch(() => undefined);
  return await answerWebsite(website, call);
}
