import type { Pool } from "pg";
import { type Incident, incidentColumns } from "./incident.ts";

/** The open incident of a monitor; undefined without one. */
export async function ongoingIncident(postgres: Pool, monitorId: string): Promise<Incident | undefined> {
  const { rows } = await postgres.query<Incident>(
    `SELECT ${incidentColumns} FROM incidents WHERE monitor_id = $1 AND resolved_at IS NULL ORDER BY started_at DESC LIMIT 1`,
    [monitorId],
  );
  return rows[0];
}
