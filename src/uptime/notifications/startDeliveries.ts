import type { Pool } from "pg";
import { type RunTools, startOnce, withRun } from "../../store/temporal/runs.ts";
import type { RunSubject } from "../../store/temporal/searchAttributes.ts";
import { incidentWorkflowId, workflowIdSql } from "../../store/temporal/workflowIds.ts";

/**
 * Starts the workflow of each delivery, unless it ran before, and records that. Rejects when Temporal or PostgreSQL is
 * unavailable; startPlannedDeliveries then starts them within a minute.
 */
export async function startDeliveries(tools: RunTools, ids: readonly string[]): Promise<void> {
  for (const { id, workflowId, event, channelKind, subject } of await readDeliveries(tools.postgres, ids)) {
    await startOnce(tools, {
      kind: "delivery",
      workflowId,
      args: [id],
      staticSummary: subject === null ? `${event} (${channelKind})` : `${event} (${channelKind}) of ${subject.name}`,
      staticDetails: `Sends the message of the row \`${id}\` of the PostgreSQL table \`deliveries\` to its channel, for up to a day.`,
      ...(subject === null ? {} : { subject }),
    });
    await tools.postgres.query("UPDATE deliveries SET started_at = now() WHERE id = $1", [id]);
  }
}

/**
 * Starts the workflow of an incident for the later steps, unless it ran before, and records that. Rejects like
 * startDeliveries.
 */
export async function startEscalation(tools: RunTools, incidentId: string): Promise<void> {
  const incident = await readIncident(tools.postgres, incidentId);
  if (incident === undefined) return;
  const { workflowId, subject, startedAt } = incident;
  await startOnce(tools, {
    kind: "incident",
    workflowId,
    args: [incidentId],
    staticSummary: `${subject.name} is down since ${startedAt.toISOString()}`,
    staticDetails: "Sends the later steps of the escalation. Acknowledging the incident through the API stops it.",
    subject,
  });
  await tools.postgres.query("UPDATE incidents SET escalation_started_at = now() WHERE id = $1", [incidentId]);
}

/**
 * Stops the escalation of an incident, if there is one; PostgreSQL must know why by then. Rejects when Temporal is
 * unavailable, which may be ignored: the escalation checks PostgreSQL before each step.
 */
export async function stopEscalation(
  { temporal, postgres }: Pick<RunTools, "temporal" | "postgres">,
  incidentId: string,
): Promise<void> {
  const incident = await readIncident(postgres, incidentId);
  if (incident !== undefined) await withRun(temporal.client, incident.workflowId, (run) => run.signal("settled"));
}

type StartedDelivery = {
  readonly id: string;
  readonly workflowId: string;
  readonly event: string;
  readonly channelKind: string;
  /** The monitor; null of a test. */
  readonly subject: Required<RunSubject> | null;
};

async function readDeliveries(
  postgres: Pick<Pool, "query">,
  ids: readonly string[],
): Promise<readonly StartedDelivery[]> {
  const { rows } = await postgres.query<StartedDelivery>(
    `SELECT delivery.id, ${workflowIdSql("delivery", "delivery")} AS "workflowId", event, channel.kind AS "channelKind",
       CASE WHEN monitor.id IS NOT NULL THEN ${subjectSql} END AS subject
     FROM unnest($1::text[]) WITH ORDINALITY AS given (id, place)
     JOIN deliveries delivery ON delivery.id = given.id
     JOIN notification_channels channel ON channel.id = delivery.channel_id
     LEFT JOIN monitors monitor ON monitor.id = delivery.monitor_id ORDER BY place`,
    [ids],
  );
  return rows;
}

type StartedIncident = {
  readonly workflowId: string;
  readonly startedAt: Date;
  readonly subject: Required<RunSubject>;
};

/** Undefined when the incident was erased with its website. */
async function readIncident(postgres: Pick<Pool, "query">, incidentId: string): Promise<StartedIncident | undefined> {
  const { rows } = await postgres.query<StartedIncident & { readonly monitorWorkflowId: string }>(
    `SELECT ${workflowIdSql("monitor", "monitor")} AS "monitorWorkflowId", started_at AS "startedAt", ${subjectSql} AS subject
     FROM incidents incident JOIN monitors monitor ON monitor.id = monitor_id WHERE incident.id = $1`,
    [incidentId],
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  return { ...row, workflowId: incidentWorkflowId(row.monitorWorkflowId, incidentId) };
}

const subjectSql = `json_build_object('websiteId', monitor.website_id, 'organizationId', monitor.organization_id, 'name', monitor.options ->> 'name')`;
