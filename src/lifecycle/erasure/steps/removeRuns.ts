import type { Client } from "@temporalio/client";

/** gRPC status NOT_FOUND: the run is gone already. */
const notFound = 5;

/** The most concurrent calls. */
const atOnce = 20;

/**
 * Deletes what Temporal keeps of a website's runs, whose ids, names and addresses are those of the website, except the
 * runs of `keptWorkflowId`. A running one is terminated. Temporal would keep the ended ones for the retention of its
 * namespace. Safe to repeat. Rejects when Temporal is unavailable.
 */
export async function removeRuns(
  client: Client,
  websiteId: string,
  keptWorkflowId: string,
  signal: AbortSignal,
): Promise<void> {
  const { namespace } = client.options;
  const query = `LookoutWebsite = '${websiteId}'`;
  const remove = async (workflowId: string, runId: string): Promise<void> => {
    try {
      await client.workflowService.deleteWorkflowExecution({ namespace, workflowExecution: { workflowId, runId } });
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === notFound)) throw error;
    }
  };
  let removing: Promise<void>[] = [];
  for await (const { workflowId, runId } of client.workflow.list({ query })) {
    signal.throwIfAborted();
    if (workflowId !== keptWorkflowId) removing.push(remove(workflowId, runId));
    if (removing.length < atOnce) continue;
    await Promise.all(removing);
    removing = [];
  }
  await Promise.all(removing);
}
