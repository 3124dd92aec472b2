import { createHash } from "node:crypto";
import type { Pool } from "pg";
import { deliveryWorkflowId } from "../../store/temporal/workflowIds.ts";
import type { NotificationFacts } from "./message/notificationFacts.ts";
import { type NotificationEvent, notificationMessage } from "./message/notificationMessage.ts";

export type Notification = {
  readonly event: NotificationEvent;
  /** When it happened, Unix ms. */
  readonly atMs: number;
  readonly afterMinutes?: number;
  readonly expiryMs?: number;
  readonly channelIds: readonly string[];
  readonly isSuppressed: boolean;
};

/**
 * Inserts a delivery of a notification for each of its channels that is not deleted, unless it exists. Resolves to the
 * ids of those that are still to be sent.
 */
export async function insertDeliveries(
  client: Pick<Pool, "query">,
  facts: NotificationFacts,
  { event, atMs, channelIds, isSuppressed, ...more }: Notification,
): Promise<string[]> {
  if (channelIds.length === 0) return [];
  const { monitor, incident } = facts;
  // The same each time it is planned: the ids of deliveries are derived from it.
  const occurrence = [incident?.id ?? monitor.id, event, more.afterMinutes ?? more.expiryMs ?? 0];
  const channels = [...new Set(channelIds)];
  const ids = channels.map((channelId) => deliveryId([...occurrence, channelId]));
  await client.query(
    `INSERT INTO deliveries (id, channel_id, organization_id, monitor_id, incident_id, event, message, status, workflow_id)
     SELECT given.id, channel.id, channel.organization_id, $3, $4, $5, $6, $7, given.workflow_id
     FROM unnest($1::text[], $2::text[], $9::text[]) AS given (id, channel_id, workflow_id)
     JOIN notification_channels channel ON channel.id = given.channel_id
     WHERE channel.organization_id = $8 AND channel.deleted_at IS NULL
     ON CONFLICT (id) DO NOTHING`,
    [
      ids,
      channels,
      monitor.id,
      incident?.id ?? null,
      event,
      JSON.stringify(notificationMessage(event, atMs, facts, more)),
      isSuppressed ? "suppressed" : "pending",
      monitor.organizationId,
      ids.map((id) => deliveryWorkflowId(monitor.workflowId, id)),
    ],
  );
  const { rows } = await client.query<{ id: string }>(
    "SELECT id FROM deliveries WHERE id = ANY($1) AND status = 'pending'",
    [ids],
  );
  return rows.map(({ id }) => id);
}

/** Without a dot, which separates the parts that a webhook's signature covers (Standard Webhooks). */
function deliveryId(occurrence: readonly (string | number)[]): string {
  return `msg_${createHash("sha256").update(JSON.stringify(occurrence)).digest("hex").slice(0, 32)}`;
}
