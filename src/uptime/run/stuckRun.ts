import { WorkflowNotFoundError } from "@temporalio/client";
import type { TellTools } from "./notifyMonitor.ts";

/** A worker that was killed or is overloaded leaves a task unfinished once or twice; one that fails again and again will not stop failing. */
const failuresOfStuckRun = 3;

/** Terminates the run of a monitor whose workflow tasks fail again and again; resolves to whether it did. */
export async function endStuckRun({ temporal }: TellTools, monitorId: string): Promise<boolean> {
  const handle = temporal.client.workflow.getHandle(`monitor/${monitorId}`);
  try {
    const { raw } = await handle.describe();
    if ((raw.pendingWorkflowTask?.attempt ?? 0) <= failuresOfStuckRun) return false;
    await handle.terminate("Its workflow tasks fail again and again; a new run goes on");
    return true;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}
