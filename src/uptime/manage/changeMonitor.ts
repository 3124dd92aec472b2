import type { PoolClient } from "pg";
import { ApiError } from "../../errors/errors.ts";
import { inTransaction } from "../../store/postgres/inTransaction.ts";
import { updateLockedRow } from "../../store/postgres/updateLockedRow.ts";
import { notFound } from "../monitor/findMonitor.ts";
import { type Monitor, monitorColumns, type OpenMonitor } from "../monitor/monitor.ts";
import { openMonitor } from "../monitor/monitorSecrets.ts";
import { notifyMonitor } from "../run/notifyMonitor.ts";
import type { UptimeCall } from "../uptimeCall.ts";
import { auditMonitor, type MonitorAction } from "./auditMonitor.ts";
import { scheduleChange } from "./monitorSchedules.ts";

/**
 * Changes columns of a monitor, in one transaction with its schedule and the audit entry, then notifies its workflow.
 * The row is locked first, so simultaneous changes are applied one after the other. A monitor of a deleted website can
 * only be deleted.
 *
 * Rejects with NOT_FOUND when the monitor no longer exists, with CONFLICT when its website is deleted, and with what
 * `change` throws.
 */
export async function changeMonitor(
  call: UptimeCall,
  { id, websiteId }: Monitor,
  action: MonitorAction,
  change: (
    client: PoolClient,
    before: OpenMonitor,
  ) => Readonly<Record<string, unknown>> | Promise<Readonly<Record<string, unknown>>>,
): Promise<OpenMonitor> {
  const { postgres, keyring } = call.app;
  const isDeleted = action === "monitor.delete";
  const monitor = await inTransaction(postgres, async (client) => {
    if (!isDeleted) await requireLiveWebsite(client, websiteId);
    const { rows } = await client.query<Monitor>(
      `SELECT ${monitorColumns} FROM monitors WHERE id = $1 AND deleted_at IS NULL FOR UPDATE`,
      [id],
    );
    const [row] = rows;
    if (row === undefined) throw notFound("monitor", "It was deleted meanwhile");
    const before = await openMonitor(client, keyring, row);
    const columns = { ...(await change(client, before)), revision: before.revision + 1 };
    const after = await updateLockedRow<Monitor>(client, "monitors", id, columns, monitorColumns);
    const changed = await openMonitor(client, keyring, after);
    await scheduleChange(client, changed);
    await auditMonitor(client, call, action, before, changed);
    return changed;
  });
  await notifyOrLeave(call, monitor, isDeleted);
  return monitor;
}

/** Notifies the workflow of a changed monitor, or leaves that to the reconciliation. */
export async function notifyOrLeave(
  { app, requestId }: UptimeCall,
  monitor: Monitor,
  isDeleted: boolean,
): Promise<void> {
  await notifyMonitor(app, monitor, isDeleted).catch((error: unknown) =>
    app.log.warn({ requestId, monitorId: monitor.id, err: error }, "a monitor's workflow will be notified later"),
  );
}

/**
 * Makes sure that a monitor is only started or changed while its website is live: the website cannot be deleted before
 * the transaction ends. Must come first in the transaction, since a deletion locks the website before its monitors.
 * Rejects with CONFLICT.
 */
export async function requireLiveWebsite(client: PoolClient, websiteId: string): Promise<void> {
  const { rowCount } = await client.query("SELECT 1 FROM websites WHERE id = $1 AND deleted_at IS NULL FOR SHARE", [
    websiteId,
  ]);
  if (rowCount === 0)
    throw new ApiError(
      "CONFLICT",
      "The website of this monitor was deleted. Restore it with POST /websites/restore, then try again",
    );
}
