import type { Pool } from "pg";
import type { Logger } from "pino";
import { type RunTools, runStateOf, startOnce } from "../../../store/temporal/runs.ts";
import { workflowIdSql } from "../../../store/temporal/workflowIds.ts";
import type { Deletion } from "../deletion/deletionRow.ts";

/**
 * Starts the workflow of a deletion, unless it ran before, and records that. Rejects when Temporal or PostgreSQL is
 * unavailable; startPlannedDeletions then starts it within a minute.
 */
export async function startDeletion(tools: RunTools, id: string): Promise<void> {
  const { workflowId, kind, websiteId, organizationId, days, dataTypes, domain, name } = await readStarted(
    tools.postgres,
    id,
  );
  const isPurge = kind === "purge";
  await startOnce(tools, {
    kind: "deletion",
    workflowId,
    args: [id],
    // A purge erases the name as well.
    subject: { websiteId, organizationId, ...(isPurge ? {} : { name }) },
    staticSummary: isPurge
      ? `Everything of the website ${websiteId}, which was deleted 90 days ago`
      : `${dataTypes.join(", ")} of ${domain}, ${days}`,
    staticDetails: `The request \`${id}\` and the receipt are in the PostgreSQL table \`deletions\`.`,
  });
  await tools.postgres.query("UPDATE deletions SET started_at = now() WHERE id = $1", [id]);
}

/** What operators see of a deletion. */
type Started = Pick<Deletion, "workflowId" | "kind" | "websiteId" | "organizationId" | "dataTypes"> & {
  readonly days: string;
  readonly domain: string;
  readonly name: string;
};

async function readStarted(postgres: Pick<Pool, "query">, id: string): Promise<Started> {
  const { rows } = await postgres.query<Started>(
    `SELECT ${workflowIdSql("deletion", "deletion")} AS "workflowId", kind, website_id AS "websiteId",
       deletion.organization_id AS "organizationId", start_date || ' to ' || end_date AS days, data_types AS "dataTypes", domain, name
     FROM deletions deletion JOIN websites website ON website.id = website_id WHERE deletion.id = $1`,
    [id],
  );
  const [deletion] = rows;
  if (deletion === undefined) throw new Error(`There is no deletion ${id}`);
  return deletion;
}

/** Limits one run, so that it ends within its minute. */
const maxPerRun = 500;

/**
 * Starts deletions whose workflow does not run: Temporal or this service was unavailable after the commit, an operator
 * terminated or cancelled it, or Temporal has lost its data (checked after an hour). Running workflows are left alone.
 */
export async function startPlannedDeletions(tools: RunTools, log: Pick<Logger, "warn">): Promise<number> {
  const { rows } = await tools.postgres.query<{ id: string; workflowId: string; wasStarted: boolean }>(
    `SELECT id, ${workflowIdSql("deletion")} AS "workflowId", coalesce(started_at > now() - interval '1 hour', false) AS "wasStarted" FROM deletions
     WHERE status = 'processing' AND (started_at IS NULL OR started_at < now() - interval '1 minute')
     ORDER BY started_at NULLS FIRST, created_at LIMIT $1`,
    [maxPerRun],
  );
  let started = 0;
  for (const { id, workflowId, wasStarted } of rows)
    try {
      if (wasStarted && (await runStateOf(tools.temporal.client, workflowId)) !== "ended") continue;
      await startDeletion(tools, id);
      started += 1;
    } catch (error) {
      log.warn({ err: error, deletionId: id }, "a deletion will be started by the next run");
    }
  return started;
}
