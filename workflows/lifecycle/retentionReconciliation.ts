import { upsertSearchAttributes } from "@temporalio/workflow";
import { aliveActivities } from "../activityOptions.ts";
import { lookoutKind } from "../searchAttributes.ts";
import type { RetentionActivities } from "./retentionActivities.ts";

const { tellPendingRetentions } = aliveActivities<RetentionActivities>({
  startToCloseTimeout: "30 minutes",
});

/**
 * Starts the workflows of shorter periods of retention that do not run, because Temporal was away when the change was made or has lost them. The
 * Schedule `retention-reconciliation` starts it every five minutes; running it at any time is safe. Resolves to how many were told.
 */
export async function retentionReconciliation(): Promise<number> {
  upsertSearchAttributes([{ key: lookoutKind, value: "retention-reconciliation" }]);
  return await tellPendingRetentions();
}
