import { randomUUID } from "node:crypto";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { recordAudit } from "../../../audit/recordAudit.ts";
import type { Config } from "../../../config.ts";
import { validationError } from "../../../errors.ts";
import type { CallContext } from "../../../gateway/callContext.ts";
import type {
  CreateNotificationChannelRequest,
  CreateNotificationChannelResponseSchema,
} from "../../../gen/lookout/v1/notification_channels_pb.ts";
import { readOutboundUrl } from "../../../outbound/readOutboundUrl.ts";
import { inTransaction } from "../../../store/postgres/inTransaction.ts";
import { createWebhookSecret } from "../webhookSignature.ts";
import { auditedChannel, type Channel, channelColumns, channelMessage } from "./channel.ts";
import { requireChannelManager } from "./requireChannelManager.ts";

/** One address without a display name. What mailboxes take beyond it is for their server to say (RFC 5321 4.1.2). */
const emailAddress = /^[^\s@<>()[\]\\,;:"\p{Cc}]{1,64}@[\p{L}\p{N}](?:[\p{L}\p{N}.-]{0,250}[\p{L}\p{N}])?$/u;

/** POST /uptime/channels/create. Rejects with VALIDATION_ERROR, and with ACCESS_DENIED for a key that is limited to websites. */
export async function createNotificationChannel(
  request: CreateNotificationChannelRequest,
  call: CallContext,
): Promise<MessageInitShape<typeof CreateNotificationChannelResponseSchema>> {
  const { app } = call;
  const caller = requireChannelManager(call);
  const target = readTarget(request, app.config);
  const secret = request.kind === "webhook" ? createWebhookSecret() : "";
  const channel = await inTransaction(app.postgres, async (client) => {
    const { rows } = await client.query<Channel>(
      `INSERT INTO notification_channels (id, organization_id, name, kind, target, secret) VALUES ($1, $2, $3, $4, $5, $6)
       RETURNING ${channelColumns}`,
      [randomUUID(), caller.organizationId, request.name, request.kind, target, secret],
    );
    const [made] = rows;
    if (made === undefined) throw new Error("PostgreSQL did not return the channel it made");
    await recordAudit(client, call, {
      action: "notification_channel.create",
      objectType: "notification_channel",
      objectId: made.id,
      websiteId: null,
      before: null,
      after: auditedChannel(made),
    });
    return made;
  });
  return { channel: channelMessage(channel), ...(secret === "" ? {} : { secret }) };
}

function readTarget({ kind, target }: CreateNotificationChannelRequest, { uptime, notices }: Config): string {
  if (kind !== "email") return readOutboundUrl(target, "target", uptime.allowedRanges);
  if (notices.smtpUrl === undefined)
    throw validationError([
      {
        field: "kind",
        message:
          "cannot be email, since this service has no mail server; its operator can set SMTP_URL and SMTP_FROM. Use webhook or slack until then",
      },
    ]);
  if (!emailAddress.test(target))
    throw validationError([{ field: "target", message: "must be one e-mail address such as ops@example.com" }]);
  return target;
}
