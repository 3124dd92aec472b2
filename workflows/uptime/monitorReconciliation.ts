import { upsertSearchAttributes } from "@temporalio/workflow";
import { lookoutKind } from "../../src/store/temporal/searchAttributes.ts";
import { aliveActivities } from "../activityOptions.ts";
import type { UptimeActivities } from "./uptimeActivities.ts";

const { reconcileMonitors } = aliveActivities<UptimeActivities>({
  startToCloseTimeout: "10 minutes",
});

/**
 * Brings the workflows of monitors in line with PostgreSQL, after Temporal was unavailable during a change or has lost one.
 * The Schedule `monitor-reconciliation` starts it every minute; running it at any time is safe.
 */
export async function monitorReconciliation(): Promise<Awaited<ReturnType<UptimeActivities["reconcileMonitors"]>>> {
  upsertSearchAttributes([{ key: lookoutKind, value: "monitor-reconciliation" }]);
  return await reconcileMonitors();
}
