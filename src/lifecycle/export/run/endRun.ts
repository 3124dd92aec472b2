import { type Client, WorkflowFailedError, WorkflowNotFoundError } from "@temporalio/client";
import { withRun } from "../../../store/temporal/runs.ts";

/** How long a run may take to notice that it was cancelled: the heartbeat timeout of its activities, and some time. */
const timeoutMs = 60_000;

/** Cancels the run of an export if it is running. Rejects when Temporal is unavailable. */
export async function cancelRun(client: Client, workflowId: string): Promise<void> {
  await withRun(client, workflowId, (run) => run.cancel());
}

/**
 * Cancels the run of an export and waits until none of its activities writes any more. Rejects when that takes longer
 * than a minute.
 */
export async function endRun(client: Client, workflowId: string): Promise<void> {
  await cancelRun(client, workflowId);
  const run = client.workflow.getHandle(workflowId);
  try {
    await client.withDeadline(Date.now() + timeoutMs, () => run.result());
  } catch (error) {
    // It has ended, or Temporal no longer knows it.
    if (!(error instanceof WorkflowNotFoundError || error instanceof WorkflowFailedError)) throw error;
  }
}
