import type { Pool } from "pg";
import { poll } from "../../../concurrency/poll.ts";
import { inTransaction } from "../../../store/postgres/inTransaction.ts";
import { runStateOf } from "../../../store/temporal/runs.ts";
import { type Monitor, monitorColumns } from "../../../uptime/monitor/monitor.ts";
import { notifyMonitor } from "../../../uptime/run/notifyMonitor.ts";
import { readDeletion } from "../deletion/readDeletion.ts";
import type { ErasureTools } from "../stores/erasureTools.ts";
import { removeRuns } from "./removeRuns.ts";

/**
 * Removes what PostgreSQL and Temporal hold of a website whose data is erased: monitors with their incidents, notes on
 * them and deliveries, links, maintenance windows, status pages with their reports, the history of its runs, and its name and domain. Its row stays, without a name, for the audit log and
 * the receipts. Safe to repeat.
 */
export async function removeWebsite(
  tools: Pick<ErasureTools, "postgres" | "temporal" | "config">,
  deletionId: string,
  signal: AbortSignal,
): Promise<void> {
  const { websiteId, workflowId } = await readDeletion(tools.postgres, deletionId);
  const { rows: monitors } = await tools.postgres.query<Monitor>(
    `UPDATE monitors SET deleted_at = coalesce(deleted_at, now()), revision = revision + 1, status = 'stopped'
     WHERE website_id = $1 RETURNING ${monitorColumns}`,
    [websiteId],
  );
  for (const monitor of monitors) {
    await notifyMonitor(tools, monitor, true);
    // Its workflow ends by recording the end of its incident; that must not happen after the incident was deleted.
    await poll(async () => (await runStateOf(tools.temporal.client, monitor.workflowId)) !== "running", signal);
  }
  await removeRowsOfWebsite(tools.postgres, websiteId);
  await removeRuns(tools.temporal.client, websiteId, workflowId, signal);
}

/** The part of `removeWebsite` in PostgreSQL, for a website whose monitors have no workflows. Safe to repeat. */
export async function removeRowsOfWebsite(postgres: Pick<Pool, "connect">, websiteId: string): Promise<void> {
  await inTransaction(postgres, async (client) => {
    for (const statement of removals) await client.query(statement, [websiteId]);
  });
}

const ofMonitors = "monitor_id IN (SELECT id FROM monitors WHERE website_id = $1)";

const removals = [
  `DELETE FROM deliveries WHERE ${ofMonitors}`,
  `DELETE FROM incidents WHERE ${ofMonitors}`,
  `DELETE FROM monitor_schedules WHERE ${ofMonitors}`,
  "DELETE FROM monitors WHERE website_id = $1",
  "DELETE FROM maintenance_windows WHERE website_id = $1",
  "DELETE FROM status_page_previews WHERE website_id = $1",
  "DELETE FROM status_pages WHERE website_id = $1",
  "DELETE FROM links WHERE website_id = $1",
  "DELETE FROM segments WHERE website_id = $1",
  "UPDATE links SET target_website_id = NULL WHERE target_website_id = $1",
  "DELETE FROM touched_hours WHERE website_id = $1",
  "DELETE FROM touched_days WHERE website_id = $1",
  "UPDATE websites SET name = '', domain = '', purged_at = now() WHERE id = $1",
];
