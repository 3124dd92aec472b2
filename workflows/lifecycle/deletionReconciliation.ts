import { upsertSearchAttributes } from "@temporalio/workflow";
import { lookoutKind } from "../../src/store/temporal/searchAttributes.ts";
import { aliveActivities } from "../activityOptions.ts";
import type { ErasureActivities } from "./erasureActivities.ts";

const { startPlannedDeletions } = aliveActivities<ErasureActivities>({
  startToCloseTimeout: "30 minutes",
});

/**
 * Starts deletions whose workflow does not run, because Temporal was unavailable. The Schedule `deletion-reconciliation`
 * starts it every minute; running it at any time is safe. Resolves to the number started.
 */
export async function deletionReconciliation(): Promise<number> {
  upsertSearchAttributes([{ key: lookoutKind, value: "deletion-reconciliation" }]);
  return await startPlannedDeletions();
}
