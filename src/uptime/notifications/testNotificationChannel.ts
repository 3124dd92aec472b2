import { randomUUID } from "node:crypto";
import { recordAudit } from "../../audit/recordAudit.ts";
import type { TestNotificationChannelReply } from "../../gen/lookout/services.ts";
import type { TestNotificationChannelRequest } from "../../gen/lookout/v1/notification_channels_pb.ts";
import { inTransaction } from "../../store/postgres/inTransaction.ts";
import type { UptimeCall } from "../uptimeCall.ts";
import { findChannel } from "./channels/channel.ts";
import type { NotificationMessage } from "./message/notificationMessage.ts";
import { startDeliveries } from "./startDeliveries.ts";

/**
 * POST /uptime/channels/test: starts sending a test; POST /uptime/deliveries/list shows the result. Rejects with
 * NOT_FOUND.
 */
export async function testNotificationChannel(
  request: TestNotificationChannelRequest,
  call: UptimeCall,
): Promise<TestNotificationChannelReply> {
  const channel = await findChannel(request.id, call);
  const { app, requestId } = call;
  const id = `msg_${randomUUID().replaceAll("-", "")}`;
  const message: NotificationMessage = {
    type: "test",
    timestamp: new Date().toISOString(),
    data: { text: `Messages reach the channel ${channel.name}.` },
  };
  await inTransaction(app.postgres, async (client) => {
    await client.query(
      `INSERT INTO deliveries (id, channel_id, organization_id, event, message, status)
       SELECT $1, id, organization_id, 'test', $2, 'pending' FROM notification_channels WHERE id = $3`,
      [id, JSON.stringify(message), channel.id],
    );
    await recordAudit(client, call, {
      action: "notification_channel.test",
      objectId: channel.id,
      after: { deliveryId: id },
    });
  });
  await startDeliveries(app, [id]).catch((error: unknown) =>
    app.log.warn({ requestId, deliveryId: id, err: error }, "a delivery will be started later"),
  );
  return { success: true, deliveryId: id };
}
