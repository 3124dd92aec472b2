import { randomUUID } from "node:crypto";
import { authRequired } from "../../../access/authorize.ts";
import { recordAudit } from "../../../audit/recordAudit.ts";
import type { CreateNotificationChannelReply } from "../../../gen/lookout/services.ts";
import {
  type CreateNotificationChannelRequest,
  NotificationChannelService,
} from "../../../gen/lookout/v1/notification_channels_pb.ts";
import { type Commit, once } from "../../../idempotency/once.ts";
import { insertRow } from "../../../store/postgres/insertRow.ts";
import type { UptimeCall } from "../../uptimeCall.ts";
import { auditedChannel, type Channel, channelColumns, channelMessage, openChannel } from "./channel.ts";
import { rulesOfKind } from "./kinds/channelKinds.ts";

/** POST /uptime/channels/create. Rejects with VALIDATION_ERROR. */
export const createNotificationChannel = once(NotificationChannelService.method.createNotificationChannel, make);

async function make(
  request: CreateNotificationChannelRequest,
  call: UptimeCall,
  commit: Commit<CreateNotificationChannelReply>,
): Promise<CreateNotificationChannelReply> {
  const { app, caller } = call;
  if (caller === undefined) throw authRequired();
  const kind = rulesOfKind(request.kind);
  const target = kind.readTarget(request.target, app.config);
  const secret = kind.createSecret?.() ?? "";
  const id = randomUUID();
  const { reply } = await commit(
    async (client) => {
      const seal = (column: "target" | "secret", text: string) =>
        app.keyring.seal(client, `notification_channels.${column}`, id, text);
      const columns = {
        id,
        organization_id: caller.organizationId,
        name: request.name,
        kind: request.kind,
        target: await seal("target", target),
        secret: await seal("secret", secret),
      };
      const row = await insertRow<Channel>(client, "notification_channels", columns, channelColumns);
      const made = await openChannel(client, app.keyring, row);
      await recordAudit(client, call, {
        action: "notification_channel.create",
        objectId: made.id,
        after: auditedChannel(made),
      });
      return made;
    },
    (channel) => ({ channel: channelMessage(channel), ...(secret === "" ? {} : { secret }) }),
  );
  return reply;
}
