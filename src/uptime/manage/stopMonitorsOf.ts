import type { PoolClient } from "pg";
import { type Monitor, monitorColumns } from "./monitor.ts";
import { scheduleChange } from "./monitorSchedules.ts";

/**
 * Stops the active monitors of a website that is being deleted, in the transaction that deletes it and locks its row. Paused ones stay
 * paused. Resolves to the stopped ones, whose workflows are to be told after the commit (tellMonitors).
 */
export async function stopMonitorsOf(client: PoolClient, websiteId: string): Promise<Monitor[]> {
  return await move(client, websiteId, "stopped_with_website = true, status = 'stopped'", "status = 'active'");
}

/** Starts the monitors again that the deletion of their website had stopped. Like stopMonitorsOf. */
export async function restartMonitorsOf(client: PoolClient, websiteId: string): Promise<Monitor[]> {
  return await move(client, websiteId, "stopped_with_website = false, status = 'active'", "stopped_with_website");
}

async function move(client: PoolClient, websiteId: string, change: string, which: string): Promise<Monitor[]> {
  const { rows } = await client.query<Monitor>(
    `UPDATE monitors SET ${change}, revision = revision + 1, updated_at = clock_timestamp()
     WHERE website_id = $1 AND deleted_at IS NULL AND ${which} RETURNING ${monitorColumns}`,
    [websiteId],
  );
  for (const monitor of rows) await scheduleChange(client, monitor, false);
  return rows;
}
