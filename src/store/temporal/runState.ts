import { type Client, WorkflowNotFoundError } from "@temporalio/client";

/** Whether a workflow runs or has ended; "unknown" where Temporal has none of this id: not yet, not any more, or it has lost its data. */
export async function runStateOf(client: Client, workflowId: string): Promise<"running" | "ended" | "unknown"> {
  try {
    return (await client.workflow.getHandle(workflowId).describe()).status.name === "RUNNING" ? "running" : "ended";
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return "unknown";
    throw error;
  }
}
