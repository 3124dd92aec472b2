import type { PoolClient } from "pg";
import { type Monitor, monitorColumns } from "../monitor/monitor.ts";
import { scheduleChange } from "./monitorSchedules.ts";

/**
 * Stops the active monitors of a website in the transaction that deletes the website and locks its row. Paused monitors
 * stay paused. Resolves to the stopped ones, whose workflows must be notified after the commit (notifyMonitors).
 */
export async function stopMonitorsOf(client: PoolClient, websiteId: string): Promise<Monitor[]> {
  return await move(client, websiteId, "stopped_with_website = true, status = 'stopped'", "status = 'active'");
}

/** Restarts the monitors that were stopped by the deletion of their website. Like stopMonitorsOf. */
export async function restartMonitorsOf(client: PoolClient, websiteId: string): Promise<Monitor[]> {
  return await move(client, websiteId, "stopped_with_website = false, status = 'active'", "stopped_with_website");
}

async function move(client: PoolClient, websiteId: string, change: string, which: string): Promise<Monitor[]> {
  const { rows } = await client.query<Monitor>(
    `UPDATE monitors SET ${change}, revision = revision + 1, updated_at = clock_timestamp()
     WHERE website_id = $1 AND deleted_at IS NULL AND ${which} RETURNING ${monitorColumns}`,
    [websiteId],
  );
  for (const monitor of rows) await scheduleChange(client, monitor);
  return rows;
}
