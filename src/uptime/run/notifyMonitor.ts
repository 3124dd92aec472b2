import { type Client, WorkflowNotFoundError } from "@temporalio/client";
import type { Pool } from "pg";
import { lookoutKind, lookoutMonitorStatus, lookoutUrl, lookoutWebsite } from "../../../workflows/searchAttributes.ts";
import type { Config } from "../../config.ts";
import { type Monitor, monitorColumns } from "../manage/monitor.ts";
import type { MonitorRun } from "./monitorRun.ts";
import { type ConfigureSignal, shownUrlOf } from "./monitorSettings.ts";

export type TellTools = {
  readonly temporal: { readonly client: Client };
  readonly postgres: Pick<Pool, "query">;
  readonly config: { readonly temporal: Pick<Config["temporal"], "taskQueue"> };
};

/** How long Temporal may take: a request of the API waits for it. */
const deadlineMs = 2_000;
/**
 * How long a worker may say nothing of a monitor before it is taken for dead, and the monitor is handed to another. Temporal's own ten
 * seconds are too few for a worker that starts on a busy machine and is handed all monitors at once; the shortest interval is a minute.
 */
const workflowTaskTimeoutMs = 20_000;

/**
 * Tells a monitor's workflow that PostgreSQL has a new revision of the monitor, and starts the workflow where there is none. Telling it
 * again, or late, changes nothing. Returns when the workflow knows of the latest revision, also when that came in the meantime.
 *
 * Rejects when Temporal or PostgreSQL is away. The next check then looks for itself, and the Schedule `monitor-reconciliation` tells the
 * workflow within a minute.
 */
export async function notifyMonitor(tools: TellTools, monitor: Monitor, isDeleted = false): Promise<void> {
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

async function send({ temporal, config }: TellTools, monitor: ToldMonitor): Promise<void> {
  const { client } = temporal;
  const { id, revision, isDeleted } = monitor;
  const workflowId = `monitor/${id}`;
  const signal: ConfigureSignal = { revision };
  const run: MonitorRun = { monitorId: id };
  const shownUrl = shownUrlOf(monitor);
  await client.withDeadline(Date.now() + deadlineMs, async () => {
    if (isDeleted) return await signalIfRunning(client, workflowId, signal);
    await client.workflow.signalWithStart("monitor", {
      workflowId,
      taskQueue: config.temporal.taskQueue,
      workflowTaskTimeout: workflowTaskTimeoutMs,
      args: [run],
      signal: "configure",
      signalArgs: [signal],
      staticSummary: `Uptime of ${shownUrl}`,
      staticDetails: "Checks the URL at each of its slots. How it is now stands under current details.",
      typedSearchAttributes: [
        { key: lookoutKind, value: "monitor" },
        { key: lookoutWebsite, value: monitor.websiteId },
        { key: lookoutMonitorStatus, value: "unknown" },
        { key: lookoutUrl, value: shownUrl },
      ],
    });
  });
}

/** There is nothing to end where there is no workflow. */
async function signalIfRunning(client: Client, workflowId: string, signal: ConfigureSignal): Promise<void> {
  try {
    await client.workflow.getHandle(workflowId).signal("configure", signal);
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
