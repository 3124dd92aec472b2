/** Short runs that Schedules start. Running one at any time is safe. */
import { setCurrentDetails, upsertSearchAttributes } from "@temporalio/workflow";
import type { ReconciledExports } from "../src/lifecycle/export/run/reconcileExports.ts";
import { lookoutKind } from "../src/store/temporal/searchAttributes.ts";
import type { Reconciled } from "../src/uptime/run/reconcileMonitors.ts";
import type { Activities } from "./activities.ts";
import { aliveActivities } from "./activityOptions.ts";
import type { ErasureActivities } from "./lifecycle/erasureActivities.ts";
import type { ExportActivities } from "./lifecycle/exportActivities.ts";
import type { RetentionActivities } from "./lifecycle/retentionActivities.ts";
import { dueTime } from "./scheduledTime.ts";
import type { UptimeActivities } from "./uptime/uptimeActivities.ts";

const { destroyOldSalts } = aliveActivities<Activities>({ startToCloseTimeout: "30 seconds" });
const { reconcileMonitors } = aliveActivities<UptimeActivities>({ startToCloseTimeout: "10 minutes" });
const { planPurges, startPlannedDeletions } = aliveActivities<ErasureActivities>({ startToCloseTimeout: "30 minutes" });
const { startPendingRetentions } = aliveActivities<RetentionActivities>({ startToCloseTimeout: "30 minutes" });
const { reconcileExports } = aliveActivities<ExportActivities>({ startToCloseTimeout: "1 hour" });

/**
 * Destroys the salts with which visitors were hashed on earlier days (specification part 1), whether or not today's is
 * needed. At 00:00 UTC.
 */
export async function saltRotation(): Promise<void> {
  showKind("salt-rotation");
  await destroyOldSalts(dueTime().getTime());
}

/**
 * Brings the workflows of monitors in line with PostgreSQL, after Temporal was unavailable during a change or has lost
 * one. Every minute.
 */
export async function monitorReconciliation(): Promise<Reconciled> {
  showKind("monitor-reconciliation");
  return await reconcileMonitors();
}

/** Starts deletions whose workflow does not run, because Temporal was unavailable. Every minute. Resolves to their number. */
export async function deletionReconciliation(): Promise<number> {
  showKind("deletion-reconciliation");
  return await startPlannedDeletions();
}

/**
 * Starts the erasure of every website that was deleted 90 days ago and can no longer be restored (specification part
 * 3). Daily. Resolves to the number of websites.
 */
export async function purge(): Promise<number> {
  showKind("purge");
  const planned = await planPurges();
  if (planned > 0) await startPlannedDeletions();
  setCurrentDetails(`${planned} websites are being erased.`);
  return planned;
}

/**
 * Starts workflows of shorter retention periods that do not run, because Temporal was unavailable when the change was
 * made or has lost them. Every five minutes. Resolves to the number of workflows notified.
 */
export async function retentionReconciliation(): Promise<number> {
  showKind("retention-reconciliation");
  return await startPendingRetentions();
}

/** Starts exports without a run, and cleans up after lost runs. */
export async function exportReconciliation(): Promise<ReconciledExports> {
  showKind("export-reconciliation");
  const result = await reconcileExports();
  setCurrentDetails(
    `### Exports\n\n${result.started} started, ${result.lost} lost runs ended, files of ${result.removed} exports removed`,
  );
  return result;
}

/** For operators, who find runs by it. */
function showKind(kind: string): void {
  upsertSearchAttributes([{ key: lookoutKind, value: kind }]);
}
