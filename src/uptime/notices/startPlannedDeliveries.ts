import { type NoticeTools, startDeliveries, startEscalation } from "./startDeliveries.ts";

/** What one run takes on, so that it ends within its minute. */
const mostPerRun = 500;

/**
 * Starts the deliveries and escalations that PostgreSQL knows of and whose workflow was never started, because Temporal or we were away
 * after the commit. Those that are still open after an hour are asked for again, so that they outlive the loss of Temporal's own data; a
 * workflow that is there is left alone. Resolves to how many it took on. Rejects when Temporal or PostgreSQL is away.
 */
export async function startPlannedDeliveries(tools: NoticeTools): Promise<number> {
  const deliveries = await tools.postgres.query<{ id: string }>(
    `SELECT id FROM deliveries
     WHERE status = 'pending' AND (started_at IS NULL OR started_at < now() - interval '1 hour')
     ORDER BY started_at NULLS FIRST, created_at LIMIT $1`,
    [mostPerRun],
  );
  await startDeliveries(
    tools,
    deliveries.rows.map(({ id }) => id),
  );
  const incidents = await tools.postgres.query<{ id: string }>(
    `SELECT id FROM incidents
     WHERE opened_at IS NOT NULL AND resolved_at IS NULL AND acknowledged_at IS NULL
       AND (escalation_started_at IS NULL OR escalation_started_at < now() - interval '1 hour')
     ORDER BY escalation_started_at NULLS FIRST, started_at LIMIT $1`,
    [mostPerRun],
  );
  for (const { id } of incidents.rows) await startEscalation(tools, id);
  return deliveries.rows.length + incidents.rows.length;
}
