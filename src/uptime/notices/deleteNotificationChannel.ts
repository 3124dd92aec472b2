import type { MessageInitShape } from "@bufbuild/protobuf";
import type { CallContext } from "../../gateway/callContext.ts";
import type {
  DeleteNotificationChannelRequest,
  DeleteNotificationChannelResponseSchema,
} from "../../gen/lookout/v1/notification_channels_pb.ts";
import { findChannel } from "./channel.ts";

/** POST /uptime/channels/delete: what is still to be sent to it fails, escalations pass it over. Rejects with NOT_FOUND. */
export async function deleteNotificationChannel(
  { id }: DeleteNotificationChannelRequest,
  call: CallContext,
): Promise<MessageInitShape<typeof DeleteNotificationChannelResponseSchema>> {
  const channel = await findChannel(id, call);
  // The row stays, since the log of deliveries names it; its secrets go.
  await call.app.postgres.query(
    "UPDATE notification_channels SET deleted_at = now(), target = '', secret = '' WHERE id = $1",
    [channel.id],
  );
  return { success: true };
}
