import { type Client, WorkflowExecutionAlreadyStartedError } from "@temporalio/client";
import type { Pool } from "pg";
import type { Logger } from "pino";
import type { Config } from "../../../config.ts";
import { runStateOf } from "../../../store/temporal/runState.ts";
import { lookoutKind, lookoutWebsite } from "../../../store/temporal/searchAttributes.ts";

export type StartTools = {
  readonly temporal: { readonly client: Client };
  readonly postgres: Pick<Pool, "query">;
  readonly config: { readonly temporal: Pick<Config["temporal"], "taskQueue"> };
};

/** How long Temporal may take: an API request waits for it. */
const deadlineMs = 2_000;

/**
 * Starts the workflow `deletion/<id>`, unless it ran before, and records that. Rejects when Temporal or PostgreSQL is
 * unavailable; startPlannedDeletions then starts it within a minute.
 */
export async function startDeletion(tools: StartTools, id: string, websiteId: string): Promise<void> {
  const { client } = tools.temporal;
  try {
    await client.withDeadline(Date.now() + deadlineMs, () =>
      client.workflow.start("deletion", {
        workflowId: `deletion/${id}`,
        // A workflow that was terminated, cancelled or failed may run again; one that completed has done its work.
        workflowIdReusePolicy: "ALLOW_DUPLICATE_FAILED_ONLY",
        taskQueue: tools.config.temporal.taskQueue,
        args: [id],
        staticSummary: `Erases data of ${websiteId}`,
        staticDetails: "The request and the receipt are in the PostgreSQL table `deletions`.",
        typedSearchAttributes: [
          { key: lookoutKind, value: "deletion" },
          { key: lookoutWebsite, value: websiteId },
        ],
      }),
    );
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
  await tools.postgres.query("UPDATE deletions SET started_at = now() WHERE id = $1", [id]);
}

/** Limits one run, so that it ends within its minute. */
const maxPerRun = 500;

/**
 * Starts deletions whose workflow does not run: Temporal or this service was unavailable after the commit, an operator
 * terminated or cancelled it, or Temporal has lost its data (checked after an hour). Running workflows are left alone.
 */
export async function startPlannedDeletions(tools: StartTools, log: Pick<Logger, "warn">): Promise<number> {
  const { rows } = await tools.postgres.query<{ id: string; websiteId: string; wasStarted: boolean }>(
    `SELECT id, website_id AS "websiteId", coalesce(started_at > now() - interval '1 hour', false) AS "wasStarted" FROM deletions
     WHERE status = 'processing' AND (started_at IS NULL OR started_at < now() - interval '1 minute')
     ORDER BY started_at NULLS FIRST, created_at LIMIT $1`,
    [maxPerRun],
  );
  let started = 0;
  for (const { id, websiteId, wasStarted } of rows)
    try {
      if (wasStarted && (await runStateOf(tools.temporal.client, `deletion/${id}`)) !== "ended") continue;
      await startDeletion(tools, id, websiteId);
      started += 1;
    } catch (error) {
      log.warn({ err: error, deletionId: id }, "a deletion will be started by the next run");
    }
  return started;
}
