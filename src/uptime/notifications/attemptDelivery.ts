import type { BlockList } from "node:net";
import type { Pool } from "pg";
import type { Config } from "../../config.ts";
import { sendMail } from "../../mail/sendMail.ts";
import type { AttemptOutcome } from "./attemptOutcome.ts";
import type { ChannelKind } from "./channels/channel.ts";
import type { NoticeMessage } from "./noticeMessage.ts";
import { noticeText } from "./noticeText.ts";
import { postHook } from "./postHook.ts";
import { slackBody } from "./slackBody.ts";
import { webhookHeaders } from "./webhookSignature.ts";

export type DeliveryTools = {
  readonly postgres: Pick<Pool, "query">;
  readonly config: { readonly notices: Config["notices"]; readonly uptime: { readonly allowedRanges: BlockList } };
};

/** `retryMs` is how long to wait when it failed. */
export type Attempt = { readonly outcome: AttemptOutcome; readonly retryMs: number };

type Row = {
  readonly attempts: number;
  readonly message: NoticeMessage;
  readonly kind: ChannelKind;
  readonly target: string;
  readonly secret: string;
  readonly isDeleted: boolean;
};

const longestWaitMs = 3_600_000;

/**
 * Tries to tell a channel once. Resolves to undefined when the delivery needs no attempt any more. Rejects when PostgreSQL is away, or
 * with the signal's reason.
 */
export async function attemptDelivery(
  { postgres, config }: DeliveryTools,
  id: string,
  signal: AbortSignal,
): Promise<Attempt | undefined> {
  // Counted before it is made, so that an attempt in which the process dies is counted too.
  const { rows } = await postgres.query<Row>(
    `UPDATE deliveries delivery SET attempts = attempts + 1
     FROM notification_channels channel WHERE delivery.id = $1 AND delivery.status = 'pending' AND channel.id = delivery.channel_id
     RETURNING delivery.attempts, delivery.message, channel.kind, channel.target, channel.secret,
       channel.deleted_at IS NOT NULL AS "isDeleted"`,
    [id],
  );
  const row = rows[0];
  if (row === undefined) return undefined;
  const retryMs = Math.min(config.notices.firstRetryMs * 2 ** (row.attempts - 1), longestWaitMs);
  if (row.isDeleted) return { outcome: { kind: "refused", error: "the channel was deleted" }, retryMs };
  return { outcome: await tell(row, id, config, signal), retryMs };
}

async function tell(
  { kind, target, secret, message }: Row,
  id: string,
  { notices, uptime }: DeliveryTools["config"],
  signal: AbortSignal,
): Promise<AttemptOutcome> {
  if (kind === "email") return await sendMail(target, id, noticeText(message), notices, signal);
  const settings = { allowed: uptime.allowedRanges, signal };
  if (kind === "slack") return await postHook(target, JSON.stringify(slackBody(noticeText(message))), {}, settings);
  const body = JSON.stringify(message);
  return await postHook(target, body, webhookHeaders(secret, id, Date.now(), body), settings);
}
