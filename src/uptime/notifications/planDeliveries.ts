import type { Pool } from "pg";
import { maintenanceUntil } from "../maintenance/maintenanceUntil.ts";
import { readWindows } from "../maintenance/window.ts";
import type { MonitorOptions } from "../monitor/monitor.ts";
import type { Incident } from "../state/incident.ts";
import { incidentId, type Transition } from "../state/transition.ts";
import { insertDeliveries } from "./insertDeliveries.ts";
import { type NotificationFacts, readNotificationFacts } from "./message/notificationFacts.ts";

/**
 * Plans the notifications of a transition, in the transaction that records it and after the incident's row is written.
 * Safe to repeat. Resolves to the ids of the deliveries that are still to be sent; announceTransition starts them after
 * the commit.
 *
 * - An opened incident goes to the channels of the steps without a wait; `escalate` plans the other steps. Within a
 *   maintenance window the deliveries are suppressed.
 * - A resolved one goes to all channels that were notified of it, even within a window: they wait for it.
 * - An expiring certificate goes to the channels of the first step, even within a window: there is only one
 *   notification, and no downtime.
 */
export async function planDeliveries(client: Pick<Pool, "query">, transition: Transition): Promise<string[]> {
  const { kind, monitorId } = transition;
  if (kind === "certificateExpiring") {
    const facts = await readNotificationFacts(client, monitorId, undefined);
    if (facts === undefined) return [];
    const { options } = facts.monitor;
    return await insertDeliveries(client, facts, {
      event: "certificate.expiring",
      atMs: transition.dueMs,
      expiryMs: transition.expiryMs,
      channelIds: channelsAfter(options, options.escalation[0]?.afterMinutes ?? 0),
      isSuppressed: false,
    });
  }
  if (kind !== "incident" || transition.change.kind === "updated") return [];
  const facts = await readNotificationFacts(client, monitorId, incidentId(monitorId, transition.change.startedMs));
  if (facts?.incident === undefined) return [];
  return transition.change.kind === "opened"
    ? await planOpened(client, facts, facts.incident, transition.dueMs)
    : await planResolved(client, facts, facts.incident, transition.dueMs);
}

async function planOpened(
  client: Pick<Pool, "query">,
  facts: NotificationFacts,
  incident: Incident,
  dueMs: number,
): Promise<string[]> {
  // Channels that were not notified of the opening would never be notified of the end.
  if (incident.resolvedMs !== null) return [];
  await client.query(
    "UPDATE incidents SET opened_at = to_timestamp($2::float8 / 1000) WHERE id = $1 AND opened_at IS NULL",
    [incident.id, dueMs],
  );
  const { monitor } = facts;
  const windows = await readWindows(client, { websiteIds: [monitor.websiteId], fromMs: dueMs, untilMs: dueMs });
  return await insertDeliveries(client, facts, {
    event: "incident.opened",
    atMs: dueMs,
    channelIds: channelsAfter(monitor.options, 0),
    isSuppressed: maintenanceUntil(windows, monitor, dueMs) !== undefined,
  });
}

async function planResolved(
  client: Pick<Pool, "query">,
  facts: NotificationFacts,
  incident: Incident,
  dueMs: number,
): Promise<string[]> {
  const { rows } = await client.query<{ channelId: string }>(
    `SELECT DISTINCT channel_id AS "channelId" FROM deliveries
     WHERE incident_id = $1 AND event <> 'incident.resolved' AND status IN ('pending', 'delivered')`,
    [incident.id],
  );
  return await insertDeliveries(client, facts, {
    event: "incident.resolved",
    atMs: dueMs,
    channelIds: rows.map(({ channelId }) => channelId),
    isSuppressed: false,
  });
}

/** The channels of all steps with this wait. */
export function channelsAfter({ escalation }: MonitorOptions, minutes: number): string[] {
  return escalation.filter(({ afterMinutes }) => afterMinutes === minutes).flatMap(({ channelIds }) => channelIds);
}
