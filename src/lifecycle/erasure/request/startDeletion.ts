import type { Logger } from "pino";
import { type RunTools, runStateOf, startOnce } from "../../../store/temporal/runs.ts";

/**
 * Starts the workflow `deletion/<id>`, unless it ran before, and records that. Rejects when Temporal or PostgreSQL is
 * unavailable; startPlannedDeletions then starts it within a minute.
 */
export async function startDeletion(tools: RunTools, id: string, websiteId: string): Promise<void> {
  await startOnce(tools, "deletion", id, {
    websiteId,
    staticSummary: `Erases data of ${websiteId}`,
    staticDetails: "The request and the receipt are in the PostgreSQL table `deletions`.",
  });
  await tools.postgres.query("UPDATE deletions SET started_at = now() WHERE id = $1", [id]);
}

/** Limits one run, so that it ends within its minute. */
const maxPerRun = 500;

/**
 * Starts deletions whose workflow does not run: Temporal or this service was unavailable after the commit, an operator
 * terminated or cancelled it, or Temporal has lost its data (checked after an hour). Running workflows are left alone.
 */
export async function startPlannedDeletions(tools: RunTools, log: Pick<Logger, "warn">): Promise<number> {
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
