import { type Client, WorkflowFailedError, WorkflowNotFoundError } from "@temporalio/client";

/** How long a run may take to notice that it was cancelled: as long as its activities may be silent, and a while. */
const patienceMs = 60_000;

/** Cancels the run of an export if it goes on. */
export async function cancelRun(client: Client, exportId: string): Promise<void> {
  try {
    await client.workflow.getHandle(`export/${exportId}`).cancel();
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}

/** Cancels the run of an export and waits until none of its activities writes any more. Rejects when that takes longer than a minute. */
export async function endRun(client: Client, exportId: string): Promise<void> {
  await cancelRun(client, exportId);
  const run = client.workflow.getHandle(`export/${exportId}`);
  try {
    await client.withDeadline(Date.now() + patienceMs, () => run.result());
  } catch (error) {
    // It has ended, or Temporal has already forgotten it.
    if (!(error instanceof WorkflowNotFoundError || error instanceof WorkflowFailedError)) throw error;
  }
}
