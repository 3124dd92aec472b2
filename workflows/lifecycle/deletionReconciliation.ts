import { upsertSearchAttributes } from "@temporalio/workflow";
import { aliveActivities } from "../activityOptions.ts";
import { lookoutKind } from "../searchAttributes.ts";
import type { ErasureActivities } from "./erasureActivities.ts";

const { startPlannedDeletions } = aliveActivities<ErasureActivities>({
  startToCloseTimeout: "30 minutes",
});

/**
 * Starts erasures that PostgreSQL knows of and whose workflow does not run, since Temporal was away. The Schedule `deletion-reconciliation`
 * starts it each minute; running it at any time is safe. Resolves to how many were started.
 */
export async function deletionReconciliation(): Promise<number> {
  upsertSearchAttributes([{ key: lookoutKind, value: "deletion-reconciliation" }]);
  return await startPlannedDeletions();
}
