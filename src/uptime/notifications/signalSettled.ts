import { type Client, WorkflowNotFoundError } from "@temporalio/client";

/** How long Temporal may take: a request of the API waits for it. */
const deadlineMs = 2_000;

/**
 * Ends the escalation of an incident that somebody looks after now: call it once PostgreSQL says so. Rejects when Temporal is away, which
 * may be ignored: the escalation asks PostgreSQL before it tells anyone.
 */
export async function signalAcknowledged(client: Client, incidentId: string): Promise<void> {
  await signalSettled(client, incidentId);
}

/** Ends the escalation of an incident, if there is one. Rejects when Temporal is away. */
export async function signalSettled(client: Client, incidentId: string): Promise<void> {
  try {
    await client.withDeadline(Date.now() + deadlineMs, () =>
      client.workflow.getHandle(`incident/${incidentId}`).signal("settled"),
    );
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}
