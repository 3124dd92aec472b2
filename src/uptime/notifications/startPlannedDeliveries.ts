import type { Logger } from "pino";
import { type NoticeTools, startDeliveries, startEscalation } from "./startDeliveries.ts";

/** What one run takes on of each kind, so that it ends within its minute. */
const maxPerRun = 500;

/**
 * Starts the deliveries and escalations that PostgreSQL knows of and whose workflow was never started, because Temporal or we were away
 * after the commit. Those that are still open after an hour are asked for again, so that they outlive the loss of Temporal's own data; a
 * workflow that is there is left alone. `onProgress` is called after each one; what fails waits for the next run. Rejects when PostgreSQL is
 * away.
 */
export async function startPlannedDeliveries(
  tools: NoticeTools,
  log: Pick<Logger, "warn">,
  onProgress: () => void,
): Promise<void> {
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
  const starts = [
    ...deliveries.rows.map(
      ({ id }) =>
        () =>
          startDeliveries(tools, [id]),
    ),
    ...incidents.rows.map(
      ({ id }) =>
        () =>
          startEscalation(tools, id),
    ),
  ];
  for (const start of starts) {
    await start().catch((error: unknown) => log.warn({ err: error }, "a notification will be started by the next run"));
    onProgress();
  }
}
