import { findMonitor, notFound } from "../monitor/findMonitor.ts";
import type { Monitor } from "../monitor/monitor.ts";
import type { MonitorCall } from "../uptimeCall.ts";
import { type Incident, incidentColumns } from "./incident.ts";

/**
 * An incident of a monitor that the caller may use, and the monitor. Rejects with NOT_FOUND, with the same text for
 * incidents of others; with `missing` where the incident is only a part of what is looked for.
 */
export async function findIncident(
  id: string,
  call: MonitorCall,
  missing = notFound("incident", "POST /uptime/incidents lists a monitor's"),
): Promise<{ readonly incident: Incident; readonly monitor: Monitor }> {
  const { rows } = await call.app.postgres.query<Incident>(`SELECT ${incidentColumns} FROM incidents WHERE id = $1`, [
    id,
  ]);
  const [incident] = rows;
  if (incident === undefined) throw missing;
  return { incident, monitor: await findMonitor(incident.monitorId, call, missing) };
}
