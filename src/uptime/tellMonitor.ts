import { type Client, WorkflowNotFoundError } from "@temporalio/client";
import type { Pool } from "pg";
import {
  lookoutKind,
  lookoutMonitorStatus,
  lookoutUrl,
  lookoutWebsite,
  shownUrl,
} from "../../workflows/searchAttributes.ts";
import type { Config } from "../config.ts";
import { type Monitor, monitorColumns } from "./monitor.ts";
import { firstRun } from "./monitorRun.ts";
import { type MonitorSettings, settingsOf } from "./monitorSettings.ts";
import type { OpenIncident } from "./state.ts";

export type TellTools = {
  readonly temporal: { readonly client: Client };
  readonly postgres: Pick<Pool, "query">;
  readonly config: {
    readonly temporal: Pick<Config["temporal"], "taskQueue">;
    readonly uptime: Pick<Config["uptime"], "region">;
  };
};

/** How long Temporal may take: a request of the API waits for it. */
const deadlineMs = 2_000;
/**
 * How long a worker may say nothing of a monitor before it is taken for dead, and the monitor is handed to another. Temporal's own ten
 * seconds are too few for a worker that starts on a busy machine and is handed all monitors at once; the shortest interval is a minute.
 */
const workflowTaskTimeoutMs = 20_000;

/**
 * Tells a monitor's workflow how the monitor is to be now, and starts the workflow where there is none. Telling it again, or late,
 * changes nothing. Returns when the workflow knows the latest revision of PostgreSQL, also when that came in the meantime.
 *
 * Rejects when Temporal or PostgreSQL is away; the Schedule `monitor-reconciliation` then tells it within a minute.
 */
export async function tellMonitor(tools: TellTools, monitor: Monitor, isDeleted = false): Promise<void> {
  let told: ToldMonitor = { ...monitor, isDeleted };
  for (;;) {
    await send(tools, told);
    const latest = await noteTold(tools, told);
    // Who told an older revision than another one could start a workflow again that the other had ended.
    if (latest === undefined || latest.revision === told.revision) return;
    told = latest;
  }
}

type ToldMonitor = Monitor & { readonly isDeleted: boolean };

async function send(tools: TellTools, monitor: ToldMonitor): Promise<void> {
  const { client } = tools.temporal;
  const { isDeleted } = monitor;
  const dueFromMs = isDeleted ? undefined : await dueSince(tools, monitor.id);
  const settings = settingsOf(monitor, { ownRegion: tools.config.uptime.region, isDeleted, dueFromMs });
  const workflowId = `monitor/${monitor.id}`;
  if (isDeleted) {
    await client.withDeadline(Date.now() + deadlineMs, () => signal(client, workflowId, settings));
    return;
  }
  const run = firstRun(await openIncident(tools, monitor.id));
  await client.withDeadline(Date.now() + deadlineMs, () =>
    client.workflow.signalWithStart("monitor", {
      workflowId,
      taskQueue: tools.config.temporal.taskQueue,
      workflowTaskTimeout: workflowTaskTimeoutMs,
      args: [run],
      signal: "configure",
      signalArgs: [settings],
      staticSummary: `Uptime of ${shownUrl(monitor.url)}`,
      staticDetails: "Checks the URL at each of its slots. How it is now stands under current details.",
      typedSearchAttributes: [
        { key: lookoutKind, value: "monitor" },
        { key: lookoutWebsite, value: monitor.websiteId },
        { key: lookoutMonitorStatus, value: "unknown" },
        { key: lookoutUrl, value: shownUrl(monitor.url) },
      ],
    }),
  );
}

/** There is nothing to end where there is no workflow. */
async function signal(client: Client, workflowId: string, settings: MonitorSettings): Promise<void> {
  try {
    await client.workflow.getHandle(workflowId).signal("configure", settings);
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}

/** The monitor as PostgreSQL has it now. */
async function noteTold({ postgres }: TellTools, { id, revision }: Monitor): Promise<ToldMonitor | undefined> {
  const { rows } = await postgres.query<ToldMonitor>(
    `UPDATE monitors SET told_revision = greatest(told_revision, $2) WHERE id = $1
     RETURNING ${monitorColumns}, deleted_at IS NOT NULL AS "isDeleted"`,
    [id, revision],
  );
  return rows[0];
}

/** Since when the monitor's slots are due, as it is scheduled now. */
async function dueSince({ postgres }: TellTools, monitorId: string): Promise<number | undefined> {
  const { rows } = await postgres.query<{ fromMs: number }>(
    `SELECT (extract(epoch FROM from_at) * 1000)::float8 AS "fromMs" FROM monitor_schedules WHERE monitor_id = $1 AND until_at IS NULL`,
    [monitorId],
  );
  return rows[0]?.fromMs;
}

/** A workflow that was lost, with all of Temporal perhaps, is to resolve the incident it had opened. */
async function openIncident({ postgres }: TellTools, monitorId: string): Promise<OpenIncident | undefined> {
  const { rows } = await postgres.query<OpenIncident>(
    `SELECT (extract(epoch FROM started_at) * 1000)::float8 AS "startedMs", first_error AS "firstError",
       checks_affected AS "checksAffected", regions
     FROM incidents WHERE monitor_id = $1 AND resolved_at IS NULL ORDER BY started_at DESC LIMIT 1`,
    [monitorId],
  );
  return rows[0];
}
