import { type Client, WorkflowNotFoundError } from "@temporalio/client";

/**
 * Whether a workflow is running or has ended. "unknown" if Temporal does not know its id: not yet, no longer, or it has
 * lost its data.
 */
export async function runStateOf(client: Client, workflowId: string): Promise<"running" | "ended" | "unknown"> {
  try {
    return (await client.workflow.getHandle(workflowId).describe()).status.name === "RUNNING" ? "running" : "ended";
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return "unknown";
    throw error;
  }
}
