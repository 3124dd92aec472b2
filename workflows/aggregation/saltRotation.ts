import { upsertSearchAttributes } from "@temporalio/workflow";
import { lookoutKind } from "../../src/store/temporal/searchAttributes.ts";
import type { Activities } from "../activities.ts";
import { aliveActivities } from "../activityOptions.ts";
import { dueTime } from "../scheduledTime.ts";

const { destroyOldSalts } = aliveActivities<Activities>({
  startToCloseTimeout: "30 seconds",
});

/**
 * Destroys the salts with which visitors were hashed on earlier days (specification part 1), whether or not today's is
 * needed. The Schedule `salt-rotation` starts it at 00:00 UTC; running it at any time is safe.
 */
export async function saltRotation(): Promise<void> {
  upsertSearchAttributes([{ key: lookoutKind, value: "salt-rotation" }]);
  await destroyOldSalts(dueTime().getTime());
}
