import { recordAudit } from "../../../audit/recordAudit.ts";
import type { DeleteNotificationChannelReply } from "../../../gen/lookout/services.ts";
import type { DeleteNotificationChannelRequest } from "../../../gen/lookout/v1/notification_channels_pb.ts";
import { inTransaction } from "../../../store/postgres/inTransaction.ts";
import type { UptimeCall } from "../../uptimeCall.ts";
import { auditedChannel, channelNotFound, findChannel } from "./channel.ts";

/**
 * POST /uptime/channels/delete: pending deliveries to it fail, and escalations skip it. Rejects with NOT_FOUND, and
 * with ACCESS_DENIED for a key that is limited to websites.
 */
export async function deleteNotificationChannel(
  { id }: DeleteNotificationChannelRequest,
  call: UptimeCall,
): Promise<DeleteNotificationChannelReply> {
  const channel = await findChannel(id, call);
  await inTransaction(call.app.postgres, async (client) => {
    // The row stays, since deliveries refer to it; its secrets are removed.
    const { rowCount } = await client.query(
      "UPDATE notification_channels SET deleted_at = now(), target = '', secret = '' WHERE id = $1 AND deleted_at IS NULL",
      [channel.id],
    );
    // Only one of two simultaneous deletions succeeds.
    if (rowCount === 0) throw channelNotFound();
    await recordAudit(client, call, {
      action: "notification_channel.delete",
      objectId: channel.id,
      before: auditedChannel(channel),
    });
  });
  return { success: true };
}
