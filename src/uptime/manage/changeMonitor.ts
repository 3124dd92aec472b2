import type { PoolClient } from "pg";
import { ApiError } from "../../errors/errors.ts";
import type { CreateMonitorReply } from "../../gen/lookout/services.ts";
import type { Commit } from "../../idempotency/once.ts";
import { inTransaction } from "../../store/postgres/inTransaction.ts";
import { notFound } from "../monitor/findMonitor.ts";
import { type Monitor, monitorColumns, monitorMessage, type OpenMonitor } from "../monitor/monitor.ts";
import { openFound } from "../monitor/monitorSecrets.ts";
import { notifyMonitor } from "../run/notifyMonitor.ts";
import type { UptimeCall } from "../uptimeCall.ts";
import { auditMonitor, type MonitorAction } from "./auditMonitor.ts";
import { scheduleChange } from "./monitorSchedules.ts";

/**
 * Creates a monitor of a website: `insert` runs in one transaction with the monitor's schedule and the audit entry.
 * Then its workflow is notified. PostgreSQL is authoritative: while Temporal is unavailable the monitor is created all the
 * same, and the reconciliation notifies the workflow later. Rejects with CONFLICT when the website is deleted.
 */
export async function makeMonitor(
  call: UptimeCall,
  websiteId: string,
  commit: Commit<CreateMonitorReply>,
  insert: (client: PoolClient) => Promise<Monitor | undefined>,
): Promise<CreateMonitorReply> {
  const { keyring } = call.app;
  const { made, reply } = await commit(
    async (client) => {
      await requireLiveWebsite(client, websiteId);
      const made = await openFound(client, keyring, await insert(client));
      if (made === undefined) throw new Error("PostgreSQL did not return the new monitor");
      await scheduleChange(client, made, false);
      await auditMonitor(client, call, "monitor.create", undefined, made);
      return made;
    },
    (monitor) => ({ monitor: monitorMessage(monitor, call) }),
  );
  await notify(call, made, false);
  return reply;
}

/**
 * Changes a monitor, like makeMonitor. Its row is locked first, so simultaneous changes are applied one after the
 * other. A monitor of a deleted website can only be deleted.
 *
 * Rejects with NOT_FOUND when the monitor no longer exists, with CONFLICT when its website is deleted, and with what
 * `change` throws.
 */
export async function changeMonitor(
  call: UptimeCall,
  { id, websiteId }: Monitor,
  action: MonitorAction,
  change: (client: PoolClient, before: OpenMonitor) => Promise<Monitor | undefined>,
): Promise<OpenMonitor> {
  const { postgres, keyring } = call.app;
  const isDeleted = action === "monitor.delete";
  const monitor = await inTransaction(postgres, async (client) => {
    if (!isDeleted) await requireLiveWebsite(client, websiteId);
    const { rows } = await client.query<Monitor>(
      `SELECT ${monitorColumns} FROM monitors WHERE id = $1 AND deleted_at IS NULL FOR UPDATE`,
      [id],
    );
    const before = await openFound(client, keyring, rows[0]);
    const changed = before && (await openFound(client, keyring, await change(client, before)));
    if (before === undefined || changed === undefined) throw notFound("monitor", "It was deleted meanwhile");
    await scheduleChange(client, changed, isDeleted);
    await auditMonitor(client, call, action, before, changed);
    return changed;
  });
  await notify(call, monitor, isDeleted);
  return monitor;
}

async function notify({ app, requestId }: UptimeCall, monitor: Monitor, isDeleted: boolean): Promise<void> {
  await notifyMonitor(app, monitor, isDeleted).catch((error: unknown) =>
    app.log.warn({ requestId, monitorId: monitor.id, err: error }, "a monitor's workflow will be notified later"),
  );
}

/**
 * Makes sure that a monitor is only started or changed while its website is live: the website cannot be deleted before
 * the transaction ends. Must come first in the transaction, since a deletion locks the website before its monitors.
 * Rejects with CONFLICT.
 */
async function requireLiveWebsite(client: PoolClient, websiteId: string): Promise<void> {
  const { rowCount } = await client.query("SELECT 1 FROM websites WHERE id = $1 AND deleted_at IS NULL FOR SHARE", [
    websiteId,
  ]);
  if (rowCount === 0)
    throw new ApiError(
      "CONFLICT",
      "The website of this monitor was deleted. Restore it with POST /websites/restore, then try again",
    );
}
