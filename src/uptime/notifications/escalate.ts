import type { Pool, PoolClient } from "pg";
import { minuteMs } from "../../time/utcDay.ts";
import { maintenanceUntil } from "../maintenance/maintenanceUntil.ts";
import { readWindows } from "../maintenance/window.ts";
import { insertDeliveries } from "./insertDeliveries.ts";
import { readNotificationFacts } from "./message/notificationFacts.ts";
import { channelsAfter } from "./planDeliveries.ts";

export type Escalated = {
  readonly status: IncidentStatus;
  /** The deliveries to start. */
  readonly deliveryIds: readonly string[];
  /** When the next step may be due, Unix ms; undefined when none is left. */
  readonly nextMs: number | undefined;
};

/** It is over when it is resolved, or was erased with its website. */
export type IncidentStatus = { readonly isOver: boolean; readonly isAcknowledged: boolean };

/** Within a window: its end may be changed. */
const recheckAfterMs = 60_000;

/**
 * Plans the steps of an incident's escalation that are due, by the monitor's current settings. There are none once the
 * incident is acknowledged or resolved. Within a maintenance window deliveries are suppressed; those of an incident
 * that outlasts the window are sent at its end. Safe to repeat. Part of a transaction, so that no notification of an
 * incident follows that of its end.
 */
export async function escalate(client: PoolClient, incidentId: string, nowMs: number): Promise<Escalated> {
  await client.query("SELECT 1 FROM incidents WHERE id = $1 FOR UPDATE", [incidentId]);
  const monitorId = incidentId.slice(0, incidentId.lastIndexOf("/"));
  const facts = await readNotificationFacts(client, monitorId, incidentId);
  const openedMs = facts?.incident?.openedMs ?? null;
  const status = {
    isOver: facts?.incident === undefined || facts.incident.resolvedMs !== null,
    isAcknowledged: facts?.incident !== undefined && facts.incident.acknowledgedMs !== null,
  };
  if (facts === undefined || openedMs === null || status.isOver || status.isAcknowledged)
    return { status, deliveryIds: [], nextMs: undefined };

  const { websiteId } = facts.monitor;
  const windows = await readWindows(client, { websiteIds: [websiteId], fromMs: nowMs, untilMs: nowMs });
  const windowEndMs = maintenanceUntil(windows, facts.monitor, nowMs);
  const isSuppressed = windowEndMs !== undefined;
  const deliveryIds = isSuppressed ? [] : await releaseSuppressed(client, incidentId);
  const waits = [...new Set(facts.monitor.options.escalation.map(({ afterMinutes }) => afterMinutes))];
  const later = waits.filter((minutes) => minutes > 0).sort((one, other) => one - other);
  for (const minutes of later.filter((minutes) => openedMs + minutes * minuteMs <= nowMs))
    deliveryIds.push(
      ...(await insertDeliveries(client, facts, {
        event: "incident.escalated",
        atMs: nowMs,
        afterMinutes: minutes,
        channelIds: channelsAfter(facts.monitor.options, minutes),
        isSuppressed,
      })),
    );
  const due = later.map((minutes) => openedMs + minutes * minuteMs).filter((ms) => ms > nowMs);
  const ends =
    isSuppressed && (await hasSuppressed(client, incidentId)) ? [Math.min(windowEndMs, nowMs + recheckAfterMs)] : [];
  const next = Math.min(...due, ...ends);
  return { status, deliveryIds: [...new Set(deliveryIds)], nextMs: Number.isFinite(next) ? next : undefined };
}

async function releaseSuppressed(client: Pick<Pool, "query">, incidentId: string): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    "UPDATE deliveries SET status = 'pending' WHERE incident_id = $1 AND status = 'suppressed' RETURNING id",
    [incidentId],
  );
  return rows.map(({ id }) => id);
}

async function hasSuppressed(client: Pick<Pool, "query">, incidentId: string): Promise<boolean> {
  const { rows } = await client.query(
    "SELECT 1 FROM deliveries WHERE incident_id = $1 AND status = 'suppressed' LIMIT 1",
    [incidentId],
  );
  return rows.length > 0;
}
