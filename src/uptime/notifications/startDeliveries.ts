import { type Client, WorkflowExecutionAlreadyStartedError } from "@temporalio/client";
import type { Pool } from "pg";
import type { Config } from "../../config.ts";
import { lookoutKind } from "../../store/temporal/searchAttributes.ts";

export type NotificationTools = {
  readonly temporal: { readonly client: Client };
  readonly postgres: Pick<Pool, "query">;
  readonly config: { readonly temporal: Pick<Config["temporal"], "taskQueue"> };
};

/** How long Temporal may take: an API request waits for it. */
const deadlineMs = 2_000;

/**
 * Starts the workflow `delivery/<id>` of each delivery, unless it ran before, and records that. Rejects when Temporal
 * or PostgreSQL is unavailable; startPlannedDeliveries then starts them within a minute.
 */
export async function startDeliveries(tools: NotificationTools, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    await startOnce(tools, "delivery", id, `Sends to a channel (${id})`);
    await tools.postgres.query("UPDATE deliveries SET started_at = now() WHERE id = $1", [id]);
  }
}

/**
 * Starts the workflow `incident/<id>` for the later steps, unless it ran before, and records that. Rejects like
 * startDeliveries.
 */
export async function startEscalation(tools: NotificationTools, incidentId: string): Promise<void> {
  await startOnce(tools, "incident", incidentId, `Escalation of ${incidentId}`);
  await tools.postgres.query("UPDATE incidents SET escalation_started_at = now() WHERE id = $1", [incidentId]);
}

async function startOnce(tools: NotificationTools, type: string, id: string, staticSummary: string): Promise<void> {
  const { client } = tools.temporal;
  try {
    await client.withDeadline(Date.now() + deadlineMs, () =>
      client.workflow.start(type, {
        workflowId: `${type}/${id}`,
        // A completed run has done its work, and a second one would send duplicates. A run that an operator terminated
        // may be started again.
        workflowIdReusePolicy: "ALLOW_DUPLICATE_FAILED_ONLY",
        taskQueue: tools.config.temporal.taskQueue,
        args: [id],
        staticSummary,
        typedSearchAttributes: [{ key: lookoutKind, value: type }],
      }),
    );
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}
