import type { Logger } from "pino";
import type { RunTools } from "../../store/temporal/runs.ts";
import { startDeliveries, startEscalation } from "./startDeliveries.ts";

/** Limits each kind per run, so that a run ends within its minute. */
const maxPerRun = 500;

/**
 * Starts the planned deliveries and escalations whose workflow was never started, because Temporal or this service was
 * unavailable after the commit. Those still open after an hour are started again, so that they survive the loss of
 * Temporal's own data; existing workflows are left alone. Failures wait for the next run. Rejects when PostgreSQL is
 * unavailable.
 */
export async function startPlannedDeliveries(tools: RunTools, log: Pick<Logger, "warn">): Promise<void> {
  const deliveries = await tools.postgres.query<{ id: string }>(
    `SELECT id FROM deliveries
     WHERE status = 'pending' AND (started_at IS NULL OR started_at < now() - interval '1 hour')
     ORDER BY started_at NULLS FIRST, created_at LIMIT $1`,
    [maxPerRun],
  );
  const incidents = await tools.postgres.query<{ id: string }>(
    `SELECT id FROM incidents
     WHERE opened_at IS NOT NULL AND resolved_at IS NULL AND acknowledged_at IS NULL
       AND (escalation_started_at IS NULL OR escalation_started_at < now() - interval '1 hour')
     ORDER BY escalation_started_at NULLS FIRST, started_at LIMIT $1`,
    [maxPerRun],
  );
  const onFailure = (error: unknown) => log.warn({ err: error }, "a notification will be started by the next run");
  for (const { id } of deliveries.rows) await startDeliveries(tools, [id]).catch(onFailure);
  for (const { id } of incidents.rows) await startEscalation(tools, id).catch(onFailure);
}
