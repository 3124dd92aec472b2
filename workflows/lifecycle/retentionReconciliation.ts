import { upsertSearchAttributes } from "@temporalio/workflow";
import { lookoutKind } from "../../src/store/temporal/searchAttributes.ts";
import { aliveActivities } from "../activityOptions.ts";
import type { RetentionActivities } from "./retentionActivities.ts";

const { startPendingRetentions } = aliveActivities<RetentionActivities>({
  startToCloseTimeout: "30 minutes",
});

/**
 * Starts workflows of shorter retention periods that do not run, because Temporal was unavailable when the change was made or
 * has lost them. The Schedule `retention-reconciliation` starts it every five minutes; running it at any time is safe.
 * Resolves to the number of workflows notified.
 */
export async function retentionReconciliation(): Promise<number> {
  upsertSearchAttributes([{ key: lookoutKind, value: "retention-reconciliation" }]);
  return await startPendingRetentions();
}
