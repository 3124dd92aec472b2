import type { MessageInitShape } from "@bufbuild/protobuf";
import type { CallContext } from "../gateway/callContext.ts";
import type { CancelRetentionRequest, CancelRetentionResponseSchema } from "../gen/lookout/v1/websites_pb.ts";
import { notifyRetentionCancelled } from "../lifecycle/retention/notifyRetentionChange.ts";
import { answerWebsite } from "./answerWebsite.ts";
import { changeWebsite } from "./changeWebsite.ts";
import { updateRow } from "./updateRow.ts";

/**
 * POST /websites/retention/cancel: cancels shorter periods that have not taken effect yet. Without any the website
 * stays as it is. Rejects with NOT_FOUND.
 */
export async function cancelRetention(
  { id }: CancelRetentionRequest,
  call: CallContext,
): Promise<MessageInitShape<typeof CancelRetentionResponseSchema>> {
  let wasPending = false;
  const website = await changeWebsite(id, call, { name: "website.retention.cancel" }, async (client, before) => {
    wasPending = before.pendingRetention !== null;
    return { website: wasPending ? await updateRow(client, before.id, { pending_retention: null }) : before };
  });
  // A workflow that is not notified, or has ended, finds nothing pending.
  if (wasPending) await notifyRetentionCancelled(call.app, website.id).catch(() => undefined);
  return await answerWebsite(website, call);
}
