import type { JsonObject } from "@bufbuild/protobuf";
import type { Pool } from "pg";
import type { NotificationChannelInit } from "../../../gen/lookout/services.ts";
import type { Keyring } from "../../../secrets/keyring.ts";
import { epochMs } from "../../../store/postgres/epochMs.ts";
import { notFound } from "../../monitor/findMonitor.ts";
import type { UptimeCall } from "../../uptimeCall.ts";
import { type ChannelKind, channelKinds } from "./kinds/channelKinds.ts";

/** A row of the table notification_channels with its target decrypted. Times are Unix ms. */
export type Channel = {
  readonly id: string;
  readonly name: string;
  readonly kind: ChannelKind;
  readonly target: string;
  readonly createdAtMs: number;
};

/** Columns of the table notification_channels, as a Channel names them; its target is encrypted, see openChannel. */
export const channelColumns = `id, name, kind, target, ${epochMs("created_at")} AS "createdAtMs"`;

/**
 * Whether credentials may know a channel: all of the organization, but with a key that is limited to websites (`$2`)
 * only those that monitors of these websites notify. `$1` is the organization.
 */
export const isShownChannel = `notification_channels.organization_id = $1 AND ($2::text[] IS NULL OR notification_channels.id IN (
  SELECT jsonb_array_elements_text(step -> 'channelIds')
  FROM monitors CROSS JOIN jsonb_array_elements(coalesce(options -> 'escalation', '[]')) AS step
  WHERE website_id = ANY($2) AND monitors.deleted_at IS NULL))`;

/** A row with its target decrypted. Rejects like Keyring.open. */
export async function openChannel(client: Pick<Pool, "query">, keyring: Keyring, row: Channel): Promise<Channel> {
  return { ...row, target: await keyring.open(client, "notification_channels.target", row.id, row.target) };
}

/** A channel as answers show it. */
export function channelMessage(channel: Channel) {
  const { id, name, kind, target, createdAtMs } = channel;
  return {
    id,
    name,
    kind,
    target: channelKinds[kind].shownTarget(target),
    createdAt: new Date(createdAtMs).toISOString(),
  } satisfies NotificationChannelInit;
}

/** A channel as the audit log records it. */
export function auditedChannel(channel: Channel): JsonObject {
  const { name, kind, target } = channelMessage(channel);
  return { name, kind, to: target };
}

/**
 * A channel of the caller's organization that is not deleted. Rejects with NOT_FOUND, with the same text for channels
 * of others.
 */
export async function findChannel(id: string, { app, caller }: UptimeCall): Promise<Channel> {
  const { rows } = await app.postgres.query<Channel>(
    `SELECT ${channelColumns} FROM notification_channels WHERE id = $1 AND organization_id = $2 AND deleted_at IS NULL`,
    [id, caller?.organizationId],
  );
  const channel = rows[0];
  if (channel === undefined) throw channelNotFound();
  return await openChannel(app.postgres, app.keyring, channel);
}

export function channelNotFound(): Error {
  return notFound("channel", "POST /uptime/channels/list lists the organization's");
}
