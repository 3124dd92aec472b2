import { ApiError } from "../../errors/errors.ts";
import { epochMs } from "../../store/postgres/epochMs.ts";
import { findMonitor, notFound } from "../monitor/findMonitor.ts";
import type { Monitor } from "../monitor/monitor.ts";
import type { MonitorCall } from "../uptimeCall.ts";
import { type Incident, incidentColumns } from "./incident.ts";

/** An incident, when its notifications were planned (Unix ms, null before), and the monitor that was down. */
export type FoundIncident = {
  readonly incident: Incident;
  readonly openedMs: number | null;
  readonly monitor: Monitor;
};

/** An incident of a monitor that the caller may use. Rejects with NOT_FOUND, with the same text for incidents of others. */
export async function findIncident(id: string, call: MonitorCall): Promise<FoundIncident> {
  const missing = notFound("incident", "POST /uptime/incidents lists a monitor's");
  const { rows } = await call.app.postgres.query<Incident & { readonly openedMs: number | null }>(
    `SELECT ${incidentColumns}, ${epochMs("opened_at")} AS "openedMs" FROM incidents WHERE id = $1`,
    [id],
  );
  const [found] = rows;
  if (found === undefined) throw missing;
  const monitor = await findMonitor(found.monitorId, call).catch((error: unknown) => {
    throw error instanceof ApiError && error.code === "NOT_FOUND" ? missing : error;
  });
  const { openedMs, ...incident } = found;
  return { incident, openedMs, monitor };
}
