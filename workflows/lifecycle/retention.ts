import { continueAsNew, upsertSearchAttributes, workflowInfo } from "@temporalio/workflow";
import { lookoutKind } from "../../src/store/temporal/searchAttributes.ts";
import { aliveActivities } from "../activityOptions.ts";
import { dueTime } from "../scheduledTime.ts";
import { type ErasedRows, eraseExpired, isPosition, type RetentionPosition } from "./eraseExpired.ts";
import type { RetentionActivities } from "./retentionActivities.ts";

const { beginRetention } = aliveActivities<RetentionActivities>({
  startToCloseTimeout: "10 minutes",
});

/**
 * Erases all data past its retention (specification part 8). Resolves to the rows by kind of data.
 *
 * The Schedule `retention` starts it at 00:00 UTC. One run also does what earlier runs missed, and running it at any
 * time is safe. Only the workflow itself passes a position, when it continues as a new run.
 */
export async function retention(position?: RetentionPosition | null): Promise<ErasedRows> {
  upsertSearchAttributes([{ key: lookoutKind, value: "retention" }]);
  const result = await eraseExpired(position ?? (await begin()));
  return isPosition(result) ? await continueAsNew<typeof retention>(result) : result;
}

async function begin(): Promise<RetentionPosition> {
  const dueMs = dueTime().getTime();
  // A late run erases what is due by now. With a clock slightly behind the Schedule's, no day must be left for
  // tomorrow.
  const nowMs = Math.max(dueMs, Date.now());
  const id = workflowInfo().firstExecutionRunId;
  await beginRetention(id, dueMs, nowMs);
  return { run: { id, nowMs }, days: 0 };
}
