import { type Client, WorkflowNotFoundError } from "@temporalio/client";

/** How long Temporal may take: an API request waits for it. */
const deadlineMs = 2_000;

/**
 * Stops the escalation of an acknowledged incident. Call it once PostgreSQL has the acknowledgement. Rejects when
 * Temporal is unavailable, which may be ignored: the escalation checks PostgreSQL before each step.
 */
export async function signalAcknowledged(client: Client, incidentId: string): Promise<void> {
  await signalSettled(client, incidentId);
}

/** Stops the escalation of an incident, if there is one. Rejects when Temporal is unavailable. */
export async function signalSettled(client: Client, incidentId: string): Promise<void> {
  try {
    await client.withDeadline(Date.now() + deadlineMs, () =>
      client.workflow.getHandle(`incident/${incidentId}`).signal("settled"),
    );
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}
