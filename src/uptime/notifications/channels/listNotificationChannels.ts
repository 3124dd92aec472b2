import type { ListNotificationChannelsReply } from "../../../gen/lookout/services.ts";
import type { ListNotificationChannelsRequest } from "../../../gen/lookout/v1/notification_channels_pb.ts";
import type { UptimeCall } from "../../uptimeCall.ts";
import { type Channel, channelColumns, channelMessage, openChannel } from "./channel.ts";

/** POST /uptime/channels/list: the organization's channels, oldest first. */
export async function listNotificationChannels(
  _request: ListNotificationChannelsRequest,
  { app, caller }: UptimeCall,
): Promise<ListNotificationChannelsReply> {
  const { rows } = await app.postgres.query<Channel>(
    `SELECT ${channelColumns} FROM notification_channels WHERE organization_id = $1 AND deleted_at IS NULL ORDER BY created_at, id`,
    [caller?.organizationId],
  );
  const channels = await Promise.all(rows.map((row) => openChannel(app.postgres, app.keyring, row)));
  return { channels: channels.map(channelMessage), total: rows.length };
}
