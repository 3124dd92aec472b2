import { type Client, WorkflowNotFoundError } from "@temporalio/client";
import type { Pool } from "pg";
import type { Config } from "../../config.ts";
import {
  lookoutKind,
  lookoutMonitorStatus,
  lookoutUrl,
  lookoutWebsite,
} from "../../store/temporal/searchAttributes.ts";
import { type Monitor, monitorColumns } from "../manage/monitor.ts";
import type { MonitorRun } from "./monitorRun.ts";
import { type ConfigureSignal, shownUrlOf } from "./monitorSettings.ts";

export type NotifyTools = {
  readonly temporal: { readonly client: Client };
  readonly postgres: Pick<Pool, "query">;
  readonly config: { readonly temporal: Pick<Config["temporal"], "taskQueue"> };
};

/** How long Temporal may take: an API request waits for it. */
const deadlineMs = 2_000;
/**
 * How long a worker may be silent about a monitor before the monitor is handed to another worker. Temporal's default of
 * ten seconds is too short for a worker that starts on a busy machine and gets all monitors at once; the shortest
 * interval is a minute.
 */
const workflowTaskTimeoutMs = 20_000;

/**
 * Notifies a monitor's workflow of a new revision in PostgreSQL, and starts the workflow if there is none. Repeated or
 * late notifications change nothing. Returns once the workflow was notified of the latest revision, even if that
 * changed meanwhile.
 *
 * Rejects when Temporal or PostgreSQL is unavailable. The next check then reads the settings itself, and the Schedule
 * `monitor-reconciliation` notifies the workflow within a minute.
 */
export async function notifyMonitor(tools: NotifyTools, monitor: Monitor, isDeleted = false): Promise<void> {
  let notified: NotifiedMonitor = { ...monitor, isDeleted };
  for (;;) {
    await send(tools, notified);
    const latest = await recordNotified(tools, notified);
    // A notification of an older revision could restart a workflow that a newer one had ended.
    if (latest === undefined || latest.revision === notified.revision) return;
    notified = latest;
  }
}

type NotifiedMonitor = Monitor & { readonly isDeleted: boolean };

async function send({ temporal, config }: NotifyTools, monitor: NotifiedMonitor): Promise<void> {
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
      staticDetails: "Checks the URL at each of its slots. Its current state is shown under current details.",
      typedSearchAttributes: [
        { key: lookoutKind, value: "monitor" },
        { key: lookoutWebsite, value: monitor.websiteId },
        { key: lookoutMonitorStatus, value: "unknown" },
        { key: lookoutUrl, value: shownUrl },
      ],
    });
  });
}

/** Without a workflow there is nothing to end. */
async function signalIfRunning(client: Client, workflowId: string, signal: ConfigureSignal): Promise<void> {
  try {
    await client.workflow.getHandle(workflowId).signal("configure", signal);
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}

/** Records the notified revision. Returns the monitor as it is in PostgreSQL now. */
async function recordNotified(
  { postgres }: NotifyTools,
  { id, revision }: Monitor,
): Promise<NotifiedMonitor | undefined> {
  const { rows } = await postgres.query<NotifiedMonitor>(
    `UPDATE monitors SET notified_revision = greatest(notified_revision, $2) WHERE id = $1
     RETURNING ${monitorColumns}, deleted_at IS NOT NULL AS "isDeleted"`,
    [id, revision],
  );
  return rows[0];
}
