import type { Pool } from "pg";

/**
 * Until when a monitor is in a maintenance window at a time, Unix ms; undefined when it is in none. A window's beginning belongs to it, its
 * end does not. Of windows that overlap the last end holds.
 */
export async function maintenanceUntil(
  client: Pick<Pool, "query">,
  monitor: { readonly id: string; readonly websiteId: string },
  atMs: number,
): Promise<number | undefined> {
  const { rows } = await client.query<{ endsMs: number | null }>(
    `SELECT (extract(epoch FROM max(ends_at)) * 1000)::float8 AS "endsMs" FROM maintenance_windows
     WHERE website_id = $1 AND (monitor_ids = '{}' OR $2 = ANY(monitor_ids))
       AND starts_at <= to_timestamp($3::float8 / 1000) AND ends_at > to_timestamp($3::float8 / 1000)`,
    [monitor.websiteId, monitor.id, atMs],
  );
  return rows[0]?.endsMs ?? undefined;
}
