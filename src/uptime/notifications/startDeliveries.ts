import { type RunTools, startOnce, withRun } from "../../store/temporal/runs.ts";

/**
 * Starts the workflow `delivery/<id>` of each delivery, unless it ran before, and records that. Rejects when Temporal
 * or PostgreSQL is unavailable; startPlannedDeliveries then starts them within a minute.
 */
export async function startDeliveries(tools: RunTools, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    await startOnce(tools, "delivery", id, { staticSummary: `Sends to a channel (${id})` });
    await tools.postgres.query("UPDATE deliveries SET started_at = now() WHERE id = $1", [id]);
  }
}

/**
 * Starts the workflow `incident/<id>` for the later steps, unless it ran before, and records that. Rejects like
 * startDeliveries.
 */
export async function startEscalation(tools: RunTools, incidentId: string): Promise<void> {
  await startOnce(tools, "incident", incidentId, { staticSummary: `Escalation of ${incidentId}` });
  await tools.postgres.query("UPDATE incidents SET escalation_started_at = now() WHERE id = $1", [incidentId]);
}

/**
 * Stops the escalation of an incident, if there is one; PostgreSQL must know why by then. Rejects when Temporal is
 * unavailable, which may be ignored: the escalation checks PostgreSQL before each step.
 */
export async function stopEscalation({ temporal }: Pick<RunTools, "temporal">, incidentId: string): Promise<void> {
  await withRun(temporal.client, `incident/${incidentId}`, (run) => run.signal("settled"));
}
