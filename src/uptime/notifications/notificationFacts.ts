import type { Pool } from "pg";
import { type Monitor, monitorColumns } from "../manage/monitor.ts";

/** The data for notifications of a monitor. Times are Unix ms. */
export type NotificationFacts = { readonly monitor: Monitor; readonly incident: NotifiedIncident | undefined };

export type NotifiedIncident = {
  readonly id: string;
  readonly startedMs: number;
  /** When the first notification was planned; null before. */
  readonly openedMs: number | null;
  readonly resolvedMs: number | null;
  readonly acknowledgedMs: number | null;
  readonly firstError: string;
  readonly checksAffected: number;
  readonly regions: readonly string[];
};

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
  const incidents = await client.query<NotifiedIncident>(
    `SELECT id, ${epochMs("started_at")} AS "startedMs", ${epochMs("opened_at")} AS "openedMs",
       ${epochMs("resolved_at")} AS "resolvedMs", ${epochMs("acknowledged_at")} AS "acknowledgedMs", first_error AS "firstError",
       checks_affected AS "checksAffected", regions
     FROM incidents WHERE id = $1 AND monitor_id = $2`,
    [incidentId, monitorId],
  );
  const incident = incidents.rows[0];
  return incident === undefined ? undefined : { monitor, incident };
}

function epochMs(column: string): string {
  return `(extract(epoch FROM ${column}) * 1000)::float8`;
}
