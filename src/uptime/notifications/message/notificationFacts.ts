import type { Pool } from "pg";
import { type Monitor, monitorColumns } from "../../monitor/monitor.ts";
import { type Incident, incidentColumns } from "../../state/incident.ts";

/** The data for notifications of a monitor. Times are Unix ms. */
export type NotificationFacts = { readonly monitor: Monitor; readonly incident: Incident | undefined };

/** The monitor (even if deleted) and one of its incidents; undefined when either does not exist. */
export async function readNotificationFacts(
  client: Pick<Pool, "query">,
  monitorId: string,
  incidentId: string | undefined,
): Promise<NotificationFacts | undefined> {
  const monitors = await client.query<Monitor>(`SELECT ${monitorColumns} FROM monitors WHERE id = $1`, [monitorId]);
  const monitor = monitors.rows[0];
  if (monitor === undefined) return undefined;
  if (incidentId === undefined) return { monitor, incident: undefined };
  const incidents = await client.query<Incident>(
    `SELECT ${incidentColumns} FROM incidents WHERE id = $1 AND monitor_id = $2`,
    [incidentId, monitorId],
  );
  const incident = incidents.rows[0];
  return incident === undefined ? undefined : { monitor, incident };
}
