import { WorkflowNotFoundError } from "@temporalio/client";
import type { RunTools } from "../../store/temporal/runs.ts";

/**
 * A worker that was killed or is overloaded leaves a task unfinished once or twice; more failures will not stop by
 * themselves.
 */
const failuresOfStuckRun = 3;

/** Terminates the run of a monitor whose workflow tasks keep failing; resolves to whether it did. */
export async function endStuckRun({ temporal }: RunTools, monitorId: string): Promise<boolean> {
  const handle = temporal.client.workflow.getHandle(`monitor/${monitorId}`);
  try {
    const { raw } = await handle.describe();
    if ((raw.pendingWorkflowTask?.attempt ?? 0) <= failuresOfStuckRun) return false;
    await handle.terminate("Its workflow tasks keep failing; a new run continues");
    return true;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}
