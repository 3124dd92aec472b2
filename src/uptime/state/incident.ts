import type { Pool } from "pg";
import { workflowLink } from "../../access/workflowLink.ts";
import type { IncidentInit } from "../../gen/lookout/services.ts";
import { epochMs } from "../../store/postgres/epochMs.ts";
import { incidentWorkflowId } from "../../store/temporal/workflowIds.ts";
import type { TimeRange } from "../../time/dates.ts";
import type { Monitor } from "../monitor/monitor.ts";
import type { UptimeCall } from "../uptimeCall.ts";

/** A row of the table incidents. Times are Unix ms; `resolvedMs` is null while it is open. */
export type Incident = {
  readonly id: string;
  readonly monitorId: string;
  readonly startedMs: number;
  /** When its first notification was planned; null before. */
  readonly openedMs: number | null;
  readonly resolvedMs: number | null;
  readonly firstError: string;
  readonly checksAffected: number;
  readonly regions: readonly string[];
  readonly acknowledgedMs: number | null;
  readonly acknowledgedBy: string | null;
};

/** Columns of the table incidents, as an Incident names them. */
export const incidentColumns = `id, monitor_id AS "monitorId", ${epochMs("started_at")} AS "startedMs",
  ${epochMs("opened_at")} AS "openedMs", ${epochMs("resolved_at")} AS "resolvedMs", first_error AS "firstError", checks_affected AS "checksAffected", regions,
  ${epochMs("acknowledged_at")} AS "acknowledgedMs", acknowledged_by AS "acknowledgedBy"`;

/** The limit of one answer; a flapping monitor has a few incidents an hour. */
const maxIncidents = 10_000;

/** Incidents that overlap a time, newest first, at most `limit`. */
export async function incidentsIn(
  postgres: Pool,
  monitorIds: readonly string[],
  { startMs, endMs }: TimeRange,
  limit = maxIncidents,
): Promise<Incident[]> {
  const { rows } = await postgres.query<Incident>(
    `SELECT ${incidentColumns} FROM incidents
     WHERE monitor_id = ANY($1) AND started_at < to_timestamp($3::float8 / 1000) AND (resolved_at IS NULL OR resolved_at > to_timestamp($2::float8 / 1000))
     ORDER BY started_at DESC, id LIMIT ${limit}`,
    [monitorIds, startMs, endMs],
  );
  return rows;
}

/** The duration of an incident, up to now while it is open, ms. */
export function durationOf({ startedMs, resolvedMs }: Incident, nowMs: number): number {
  return Math.max(0, (resolvedMs ?? nowMs) - startedMs);
}

/** An incident of a monitor as answers show it (specification part 2). */
export function incidentMessage(
  incident: Incident,
  monitor: Pick<Monitor, "workflowId">,
  call: Pick<UptimeCall, "app" | "caller">,
): IncidentInit {
  const { resolvedMs, acknowledgedMs } = incident;
  return {
    id: incident.id,
    monitorId: incident.monitorId,
    startedAt: new Date(incident.startedMs).toISOString(),
    ...(resolvedMs === null ? {} : { resolvedAt: new Date(resolvedMs).toISOString() }),
    durationMs: durationOf(incident, Date.now()),
    status: resolvedMs === null ? "ongoing" : "resolved",
    firstError: incident.firstError,
    checksAffected: incident.checksAffected,
    regions: [...incident.regions],
    ...(acknowledgedMs === null ? {} : { acknowledgedAt: new Date(acknowledgedMs).toISOString() }),
    acknowledgedBy: incident.acknowledgedBy ?? "",
    workflowUrl: workflowLink(call, incidentWorkflowId(monitor.workflowId, incident.id)),
  };
}
