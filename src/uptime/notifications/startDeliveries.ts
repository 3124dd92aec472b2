import { type Client, WorkflowExecutionAlreadyStartedError } from "@temporalio/client";
import type { Pool } from "pg";
import { lookoutKind } from "../../../workflows/searchAttributes.ts";
import type { Config } from "../../config.ts";

export type NoticeTools = {
  readonly temporal: { readonly client: Client };
  readonly postgres: Pick<Pool, "query">;
  readonly config: { readonly temporal: Pick<Config["temporal"], "taskQueue"> };
};

/** How long Temporal may take: a request of the API waits for it. */
const deadlineMs = 2_000;

/**
 * Starts the workflow `delivery/<id>` of each delivery, unless it ran before, and notes it. Rejects when Temporal or PostgreSQL is away;
 * startPlannedDeliveries then starts them within a minute.
 */
export async function startDeliveries(tools: NoticeTools, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    await startOnce(tools, "delivery", id, `Tells a channel (${id})`);
    await tools.postgres.query("UPDATE deliveries SET started_at = now() WHERE id = $1", [id]);
  }
}

/** Starts the workflow `incident/<id>`, which tells the later steps, unless it ran before, and notes it. Rejects as startDeliveries. */
export async function startEscalation(tools: NoticeTools, incidentId: string): Promise<void> {
  await startOnce(tools, "incident", incidentId, `Escalation of ${incidentId}`);
  await tools.postgres.query("UPDATE incidents SET escalation_started_at = now() WHERE id = $1", [incidentId]);
}

async function startOnce(tools: NoticeTools, type: string, id: string, staticSummary: string): Promise<void> {
  const { client } = tools.temporal;
  try {
    await client.withDeadline(Date.now() + deadlineMs, () =>
      client.workflow.start(type, {
        workflowId: `${type}/${id}`,
        // One that has completed has done its work: a second would tell people twice. One that an operator terminated has not.
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
