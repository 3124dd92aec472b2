import { setCurrentDetails, upsertSearchAttributes } from "@temporalio/workflow";
import { lookoutKind } from "../../src/store/temporal/searchAttributes.ts";
import { aliveActivities } from "../activityOptions.ts";
import type { ErasureActivities } from "./erasureActivities.ts";

const { planPurges, startPlannedDeletions } = aliveActivities<ErasureActivities>({
  startToCloseTimeout: "30 minutes",
});

/**
 * Starts the erasure of every website that was deleted 90 days ago and can no longer be restored (specification part
 * 3). The Schedule `purge` starts it daily; running it at any time is safe. Resolves to the number of websites.
 */
export async function purge(): Promise<number> {
  upsertSearchAttributes([{ key: lookoutKind, value: "purge" }]);
  const planned = await planPurges();
  if (planned > 0) await startPlannedDeletions();
  setCurrentDetails(`${planned} websites are being erased.`);
  return planned;
}
