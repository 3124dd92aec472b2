import { proxyActivities, upsertSearchAttributes } from "@temporalio/workflow";
import type { ErasureActivities } from "./erasureActivities.ts";
import { lookoutKind } from "./searchAttributes.ts";

const { startPlannedDeletions } = proxyActivities<ErasureActivities>({
  startToCloseTimeout: "30 minutes",
  // A store that is away is waited for: the retries have no end.
  retry: { initialInterval: "1 second", maximumInterval: "1 minute" },
});

/**
 * Starts erasures that PostgreSQL knows of and whose workflow does not run, since Temporal was away. The Schedule `deletion-reconciliation`
 * starts it each minute; running it at any time is safe. Resolves to how many were started.
 */
export async function deletionReconciliation(): Promise<number> {
  upsertSearchAttributes([{ key: lookoutKind, value: "deletion-reconciliation" }]);
  return await startPlannedDeletions();
}
