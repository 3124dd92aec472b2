import { proxyActivities, upsertSearchAttributes } from "@temporalio/workflow";
import type { RetentionActivities } from "./retentionActivities.ts";
import { lookoutKind } from "./searchAttributes.ts";

const { tellPendingRetentions } = proxyActivities<RetentionActivities>({
  startToCloseTimeout: "30 minutes",
  // A store that is away is waited for: the retries have no end.
  retry: { initialInterval: "1 second", maximumInterval: "1 minute" },
});

/**
 * Starts the workflows of shorter periods of retention that do not run, because Temporal was away when the change was made or has lost them. The
 * Schedule `retention-reconciliation` starts it every five minutes; running it at any time is safe. Resolves to how many were told.
 */
export async function retentionReconciliation(): Promise<number> {
  upsertSearchAttributes([{ key: lookoutKind, value: "retention-reconciliation" }]);
  return await tellPendingRetentions();
}
