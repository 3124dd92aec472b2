import type { Logger } from "pino";
import type { Website } from "../../access/websiteDirectory.ts";
import type { PendingRetention } from "../../retention/periods.ts";
import { type RunTools, temporalTimeoutMs, withRun } from "../../store/temporal/runs.ts";
import { attributesOf } from "../../store/temporal/searchAttributes.ts";
import { retentionWorkflowId } from "../../store/temporal/workflowIds.ts";

/**
 * Notifies the workflow `retention-change/<website id>` when shorter periods take effect, and starts it if there is
 * none. Safe to repeat. Rejects when Temporal or PostgreSQL is unavailable; startPendingRetentions then does it within
 * minutes.
 */
export async function notifyRetentionChange(
  { temporal, postgres, config }: RunTools,
  { id: websiteId, organizationId, domain, name }: NotifiedWebsite,
  { effectiveAtMs }: Pick<PendingRetention, "effectiveAtMs">,
): Promise<void> {
  const { client } = temporal;
  await client.withDeadline(Date.now() + temporalTimeoutMs, () =>
    client.workflow.signalWithStart("retentionChange", {
      workflowId: retentionWorkflowId(websiteId),
      taskQueue: config.temporal.taskQueue,
      args: [{ websiteId }],
      signal: "retentionPending",
      signalArgs: [effectiveAtMs],
      staticSummary: `Shorter retention of ${domain}`,
      staticDetails:
        "Waits until the shorter periods of the website take effect, then erases older data. They are in the column " +
        "`websites.pending_retention` of PostgreSQL; when they are cancelled, nothing is left to do.",
      typedSearchAttributes: attributesOf("retention-change", { websiteId, organizationId, name }),
    }),
  );
  await postgres.query(
    `UPDATE websites SET pending_retention = pending_retention || '{"isNotified": true}'
     WHERE id = $1 AND (pending_retention ->> 'effectiveAtMs')::float8 = $2`,
    [websiteId, effectiveAtMs],
  );
}

/**
 * Notifies the workflow that shorter periods were cancelled. Otherwise it would notice only when they were to take
 * effect.
 */
export async function notifyRetentionCancelled(
  { temporal }: Pick<RunTools, "temporal">,
  websiteId: string,
): Promise<void> {
  await withRun(temporal.client, retentionWorkflowId(websiteId), (run) => run.signal("retentionPending", Date.now()));
}

type NotifiedWebsite = Pick<Website, "id" | "organizationId" | "domain" | "name">;

type Pending = NotifiedWebsite & { readonly effectiveAtMs: number };

/** An existing workflow has taken over by then. */
const overdueMs = 60_000;

/** Limits one run, so that it ends soon. */
const maxPerRun = 500;

/**
 * Notifies the workflows of shorter periods of changes made while Temporal was unavailable, and starts those that Temporal has
 * lost. Resolves to their number.
 */
export async function startPendingRetentions(tools: RunTools, log: Pick<Logger, "warn">): Promise<number> {
  const { rows } = await tools.postgres.query<Pending>(
    `SELECT id, organization_id AS "organizationId", domain, name, (pending_retention ->> 'effectiveAtMs')::float8 AS "effectiveAtMs" FROM websites
     WHERE pending_retention IS NOT NULL AND deleted_at IS NULL
       AND (NOT (pending_retention -> 'isNotified')::boolean OR (pending_retention ->> 'effectiveAtMs')::float8 < $1)
     ORDER BY 2 LIMIT $2`,
    [Date.now() - overdueMs, maxPerRun],
  );
  let notified = 0;
  for (const { effectiveAtMs, ...website } of rows)
    try {
      await notifyRetentionChange(tools, website, { effectiveAtMs });
      notified += 1;
    } catch (error) {
      log.warn({ err: error, websiteId: website.id }, "the next run will notify the workflow of a change of retention");
    }
  return notified;
}
