import { changedFields } from "../../../audit/changedFields.ts";
import { recordAudit } from "../../../audit/recordAudit.ts";
import type { UpdateNotificationChannelReply } from "../../../gen/lookout/services.ts";
import type { UpdateNotificationChannelRequest } from "../../../gen/lookout/v1/notification_channels_pb.ts";
import { inTransaction } from "../../../store/postgres/inTransaction.ts";
import type { UptimeCall } from "../../uptimeCall.ts";
import {
  auditedChannel,
  type Channel,
  channelColumns,
  channelMessage,
  channelNotFound,
  findChannel,
  openChannel,
} from "./channel.ts";
import { rulesOfKind } from "./kinds/channelKinds.ts";

/**
 * POST /uptime/channels/update: fields left out stay as they are. Messages that are still to be sent go to the new target. Rejects with
 * VALIDATION_ERROR, NOT_FOUND, and with ACCESS_DENIED for a key that is limited to websites.
 */
export async function updateNotificationChannel(
  request: UpdateNotificationChannelRequest,
  call: UptimeCall,
): Promise<UpdateNotificationChannelReply> {
  const { postgres, keyring, config } = call.app;
  const before = await findChannel(request.id, call);
  const target = request.target === undefined ? undefined : rulesOfKind(before.kind).readTarget(request.target, config);
  const channel = await inTransaction(postgres, async (client) => {
    const sealed =
      target === undefined ? null : await keyring.seal(client, "notification_channels.target", before.id, target);
    const { rows } = await client.query<Channel>(
      `UPDATE notification_channels SET name = coalesce($2, name), target = coalesce($3, target)
       WHERE id = $1 AND deleted_at IS NULL RETURNING ${channelColumns}`,
      [before.id, request.name, sealed],
    );
    const [row] = rows;
    if (row === undefined) throw channelNotFound();
    const after = await openChannel(client, keyring, row);
    const fields = changedFields(auditedChannel(before), auditedChannel(after));
    // The path of a hook is a secret, so a change of it alone shows no field.
    if (fields !== undefined || after.target !== before.target)
      await recordAudit(client, call, { action: "notification_channel.update", objectId: after.id, ...fields });
    return after;
  });
  return { channel: channelMessage(channel) };
}
