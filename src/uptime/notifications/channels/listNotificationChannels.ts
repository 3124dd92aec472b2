import type { ListNotificationChannelsReply } from "../../../gen/lookout/services.ts";
import type { ListNotificationChannelsRequest } from "../../../gen/lookout/v1/notification_channels_pb.ts";
import type { UptimeCall } from "../../uptimeCall.ts";
import { type Channel, channelColumns, channelMessage, isShownChannel, openChannel } from "./channel.ts";

/**
 * POST /uptime/channels/list: the organization's channels, oldest first; with a key that is limited to websites those that
 * their monitors notify.
 */
export async function listNotificationChannels(
  _request: ListNotificationChannelsRequest,
  { app, caller }: UptimeCall,
): Promise<ListNotificationChannelsReply> {
  const { rows } = await app.postgres.query<Channel>(
    `SELECT ${channelColumns} FROM notification_channels WHERE ${isShownChannel} AND deleted_at IS NULL ORDER BY created_at, id`,
    [caller?.organizationId, caller?.websiteIds ?? null],
  );
  const channels = await Promise.all(rows.map((row) => openChannel(app.postgres, app.keyring, row)));
  return { channels: channels.map(channelMessage), total: rows.length };
}
