import type { Pool } from "pg";
import { maintenanceUntil } from "../maintenance/maintenanceUntil.ts";
import { readWindows } from "../maintenance/readWindows.ts";
import type { MonitorOptions } from "../manage/monitor.ts";
import { incidentId, type Transition } from "../state/transition.ts";
import { insertDeliveries } from "./insertDeliveries.ts";
import { type NoticedIncident, type NoticeFacts, readNoticeFacts } from "./noticeFacts.ts";
import { noticeMessage } from "./noticeMessage.ts";

/**
 * Writes down who is to be told of a transition, in the transaction that records it and after the incident's row is written. Planning one
 * twice plans it once. Resolves to the ids of the deliveries that are still to be sent: startNotices starts them after the commit.
 *
 * - An opened incident is told to the channels of the steps without a wait; `escalate` tells the others. Within a maintenance window the
 *   deliveries are suppressed.
 * - A resolved one is told to all who were told of it, in a window too: they wait for it.
 * - An ending certificate is told to the channels of the first step, in a window too: it is told once, and it is no downtime.
 */
export async function planDeliveries(client: Pick<Pool, "query">, transition: Transition): Promise<string[]> {
  const { kind, monitorId } = transition;
  if (kind === "certificateExpiring") {
    const facts = await readNoticeFacts(client, monitorId, undefined);
    return facts === undefined ? [] : await planCertificate(client, facts, transition.dueMs, transition.expiryMs);
  }
  if (kind !== "incident" || transition.change.kind === "updated") return [];
  const facts = await readNoticeFacts(client, monitorId, incidentId(monitorId, transition.change.startedMs));
  if (facts?.incident === undefined) return [];
  return transition.change.kind === "opened"
    ? await planOpened(client, facts, facts.incident, transition.dueMs)
    : await planResolved(client, facts, facts.incident, transition.dueMs);
}

async function planOpened(
  client: Pick<Pool, "query">,
  facts: NoticeFacts,
  incident: NoticedIncident,
  dueMs: number,
): Promise<string[]> {
  // Whoever was not told of its opening would never be told of its end.
  if (incident.resolvedMs !== null) return [];
  await client.query(
    "UPDATE incidents SET opened_at = to_timestamp($2::float8 / 1000) WHERE id = $1 AND opened_at IS NULL",
    [incident.id, dueMs],
  );
  const { monitor } = facts;
  const windows = await readWindows(client, { websiteId: monitor.websiteId, fromMs: dueMs, untilMs: dueMs });
  return await insertDeliveries(client, facts, {
    occurrence: [incident.id, "incident.opened", 0],
    message: noticeMessage("incident.opened", dueMs, facts),
    channelIds: channelsAfter(monitor.options, 0),
    isSuppressed: maintenanceUntil(windows, monitor, dueMs) !== undefined,
  });
}

async function planResolved(
  client: Pick<Pool, "query">,
  facts: NoticeFacts,
  incident: NoticedIncident,
  dueMs: number,
): Promise<string[]> {
  const { rows } = await client.query<{ channelId: string }>(
    `SELECT DISTINCT channel_id AS "channelId" FROM deliveries
     WHERE incident_id = $1 AND event <> 'incident.resolved' AND status IN ('pending', 'delivered')`,
    [incident.id],
  );
  return await insertDeliveries(client, facts, {
    occurrence: [incident.id, "incident.resolved", 0],
    message: noticeMessage("incident.resolved", dueMs, facts),
    channelIds: rows.map(({ channelId }) => channelId),
    isSuppressed: false,
  });
}

async function planCertificate(
  client: Pick<Pool, "query">,
  facts: NoticeFacts,
  dueMs: number,
  expiryMs: number,
): Promise<string[]> {
  const { options, id } = facts.monitor;
  return await insertDeliveries(client, facts, {
    occurrence: [id, "certificate.expiring", expiryMs],
    message: noticeMessage("certificate.expiring", dueMs, facts, { expiryMs }),
    channelIds: channelsAfter(options, options.escalation[0]?.afterMinutes ?? 0),
    isSuppressed: false,
  });
}

/** The channels of all steps with this wait. */
export function channelsAfter({ escalation }: MonitorOptions, minutes: number): string[] {
  return escalation.filter(({ afterMinutes }) => afterMinutes === minutes).flatMap(({ channelIds }) => channelIds);
}
