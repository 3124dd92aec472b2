import type { Pool } from "pg";
import type { Config } from "../../config.ts";
import type { Keyring } from "../../secrets/keyring.ts";
import type { AttemptOutcome, ChannelConfig } from "./channels/kinds/channelKind.ts";
import { type ChannelKind, channelKinds } from "./channels/kinds/channelKinds.ts";
import { withAddress } from "./message/incidentAddress.ts";
import type { NotificationMessage } from "./message/notificationMessage.ts";

export type DeliveryTools = {
  readonly postgres: Pick<Pool, "query">;
  readonly keyring: Keyring;
  readonly config: ChannelConfig & { readonly server: Pick<Config["server"], "baseUrl"> };
};

/** `retryMs` is the wait after a failure. */
export type Attempt = { readonly outcome: AttemptOutcome; readonly retryMs: number };

type Row = {
  readonly channelId: string;
  readonly attempts: number;
  readonly message: NotificationMessage;
  readonly kind: ChannelKind;
  readonly target: string;
  readonly secret: string;
  readonly isDeleted: boolean;
};

const longestWaitMs = 3_600_000;

/**
 * Makes one attempt at a delivery. Resolves to undefined when no attempt is needed any more. Rejects when PostgreSQL is
 * unavailable, or with the signal's reason.
 */
export async function attemptDelivery(
  { postgres, keyring, config }: DeliveryTools,
  id: string,
  signal: AbortSignal,
): Promise<Attempt | undefined> {
  // Counted before it is made, so that an attempt in which the process dies counts too.
  const { rows } = await postgres.query<Row>(
    `UPDATE deliveries delivery SET attempts = attempts + 1
     FROM notification_channels channel WHERE delivery.id = $1 AND delivery.status = 'pending' AND channel.id = delivery.channel_id
     RETURNING delivery.attempts, delivery.message, channel.id AS "channelId", channel.kind, channel.target, channel.secret,
       channel.deleted_at IS NOT NULL AS "isDeleted"`,
    [id],
  );
  const row = rows[0];
  if (row === undefined) return undefined;
  const retryMs = Math.min(config.notifications.firstRetryMs * 2 ** (row.attempts - 1), longestWaitMs);
  if (row.isDeleted) return { outcome: { kind: "refused", error: "the channel was deleted" }, retryMs };
  const { kind, channelId } = row;
  const message = withAddress(row.message, config.server.baseUrl);
  const target = await keyring.open(postgres, "notification_channels.target", channelId, row.target);
  const secret = await keyring.open(postgres, "notification_channels.secret", channelId, row.secret);
  const sending = { deliveryId: id, target, secret, message };
  return { outcome: await channelKinds[kind].send(sending, config, signal), retryMs };
}

/** Records the result of an attempt; `isLast` when no retry follows a failure. Safe to repeat. */
export async function recordAttempt(
  postgres: Pick<Pool, "query">,
  id: string,
  outcome: AttemptOutcome,
  isLast: boolean,
): Promise<void> {
  const failedAs = isLast || outcome.kind === "refused" ? "failed" : "pending";
  await postgres.query(
    `UPDATE deliveries SET status = $2::text, last_error = coalesce($3, last_error),
       delivered_at = CASE WHEN $2::text = 'delivered' THEN now() END
     WHERE id = $1 AND status = 'pending'`,
    outcome.kind === "delivered"
      ? [id, "delivered", null]
      : [id, failedAs, outcome.error.replaceAll("\u0000", "\uFFFD")],
  );
}
