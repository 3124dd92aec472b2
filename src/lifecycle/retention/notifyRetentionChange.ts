import type { Client } from "@temporalio/client";
import type { Pool } from "pg";
import type { Logger } from "pino";
import { lookoutKind, lookoutWebsite } from "../../../workflows/searchAttributes.ts";
import type { Config } from "../../config.ts";
import type { PendingRetention } from "./periods.ts";

export type TellTools = {
  readonly temporal: { readonly client: Client };
  readonly postgres: Pick<Pool, "query">;
  readonly config: { readonly temporal: Pick<Config["temporal"], "taskQueue"> };
};

/** How long Temporal may take: a request of the API waits for it. */
const deadlineMs = 2_000;

/**
 * Tells the workflow `retention-change/<website id>` from when shorter periods hold, and starts it where there is none. Telling it again
 * changes nothing. Rejects when Temporal or PostgreSQL is away; tellPendingRetentions then does it within minutes.
 */
export async function notifyRetentionChange(
  { temporal, postgres, config }: TellTools,
  websiteId: string,
  { effectiveAtMs }: Pick<PendingRetention, "effectiveAtMs">,
): Promise<void> {
  const { client } = temporal;
  await client.withDeadline(Date.now() + deadlineMs, () =>
    client.workflow.signalWithStart("retentionChange", {
      workflowId: `retention-change/${websiteId}`,
      taskQueue: config.temporal.taskQueue,
      args: [{ websiteId }],
      signal: "retentionPending",
      signalArgs: [effectiveAtMs],
      staticSummary: `Shorter retention of ${websiteId}`,
      staticDetails:
        "Waits until the shorter periods of the website hold, then erases what is older. They stand in the column " +
        "`websites.pending_retention` of PostgreSQL; when they are cancelled, nothing is left to do.",
      typedSearchAttributes: [
        { key: lookoutKind, value: "retention-change" },
        { key: lookoutWebsite, value: websiteId },
      ],
    }),
  );
  await postgres.query(
    `UPDATE websites SET pending_retention = pending_retention || '{"isTold": true}'
     WHERE id = $1 AND (pending_retention ->> 'effectiveAtMs')::float8 = $2`,
    [websiteId, effectiveAtMs],
  );
}

/** Lets the workflow see that shorter periods were cancelled. Without it it would find out when they were to hold. */
export async function tellRetentionCancelled(
  { temporal }: Pick<TellTools, "temporal">,
  websiteId: string,
): Promise<void> {
  const { client } = temporal;
  await client.withDeadline(Date.now() + deadlineMs, () =>
    client.workflow.getHandle(`retention-change/${websiteId}`).signal("retentionPending", Date.now()),
  );
}

/** A workflow that is there has taken over by then. */
const overdueMs = 60_000;

/** What one run takes on, so that it ends soon. */
const maxPerRun = 500;

/**
 * Tells the workflows of shorter periods what they could not be told while Temporal was away, and starts those that Temporal has lost. Resolves
 * to how many.
 */
export async function tellPendingRetentions(tools: TellTools, log: Pick<Logger, "warn">): Promise<number> {
  const { rows } = await tools.postgres.query<{ id: string; effectiveAtMs: number }>(
    `SELECT id, (pending_retention ->> 'effectiveAtMs')::float8 AS "effectiveAtMs" FROM websites
     WHERE pending_retention IS NOT NULL AND deleted_at IS NULL
       AND (NOT (pending_retention -> 'isTold')::boolean OR (pending_retention ->> 'effectiveAtMs')::float8 < $1)
     ORDER BY 2 LIMIT $2`,
    [Date.now() - overdueMs, maxPerRun],
  );
  let told = 0;
  for (const { id, effectiveAtMs } of rows)
    try {
      await notifyRetentionChange(tools, id, { effectiveAtMs });
      told += 1;
    } catch (error) {
      log.warn({ err: error, websiteId: id }, "a change of retention will be told to its workflow by the next run");
    }
  return told;
}
