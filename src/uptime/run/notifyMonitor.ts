import { type RunTools, temporalTimeoutMs, withRun } from "../../store/temporal/runs.ts";
import { attributesOf, lookoutMonitorStatus, lookoutUrl } from "../../store/temporal/searchAttributes.ts";
import { type Monitor, monitorColumns } from "../monitor/monitor.ts";
import type { NotifyCall } from "../uptimeCall.ts";
import type { MonitorRun } from "./monitorRun.ts";
import { type ConfigureSignal, shownUrlOf } from "./monitorSettings.ts";

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
export async function notifyMonitor(tools: RunTools, monitor: Monitor, isDeleted = false): Promise<void> {
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

async function send({ temporal, config }: RunTools, monitor: NotifiedMonitor): Promise<void> {
  const { client } = temporal;
  const { id, workflowId, revision, isDeleted, websiteId, organizationId, options } = monitor;
  const signal: ConfigureSignal = { revision };
  const run: MonitorRun = { monitorId: id };
  const shownUrl = shownUrlOf(monitor);
  if (isDeleted) return await withRun(client, workflowId, (workflow) => workflow.signal("configure", signal));
  await client.withDeadline(Date.now() + temporalTimeoutMs, () =>
    client.workflow.signalWithStart("monitor", {
      workflowId,
      taskQueue: config.temporal.taskQueue,
      workflowTaskTimeout: workflowTaskTimeoutMs,
      args: [run],
      signal: "configure",
      signalArgs: [signal],
      staticSummary: `Uptime of ${shownUrl}`,
      staticDetails: "Checks the URL at each of its slots. Its current state is shown under current details.",
      typedSearchAttributes: [
        ...attributesOf("monitor", { websiteId, organizationId, name: options.name }),
        { key: lookoutMonitorStatus, value: "unknown" },
        { key: lookoutUrl, value: shownUrl },
      ],
    }),
  );
}

/** Records the notified revision. Returns the monitor as it is in PostgreSQL now. */
async function recordNotified({ postgres }: RunTools, { id, revision }: Monitor): Promise<NotifiedMonitor | undefined> {
  const { rows } = await postgres.query<NotifiedMonitor>(
    `UPDATE monitors SET notified_revision = greatest(notified_revision, $2) WHERE id = $1
     RETURNING ${monitorColumns}, deleted_at IS NOT NULL AS "isDeleted"`,
    [id, revision],
  );
  return rows[0];
}

/** The most concurrent notifications. */
const atOnce = 20;

/**
 * Notifies the workflows of many monitors. While Temporal is unavailable the rest is left to the reconciliation, so that
 * requests do not wait for it.
 */
export async function notifyMonitors(monitors: readonly Monitor[], { app, requestId }: NotifyCall): Promise<void> {
  for (let from = 0; from < monitors.length; from += atOnce) {
    const tellings = monitors.slice(from, from + atOnce).map((monitor) => notifyMonitor(app, monitor));
    const failed = (await Promise.allSettled(tellings)).find((telling) => telling.status === "rejected");
    if (failed === undefined) continue;
    app.log.warn({ requestId, err: failed.reason }, "workflows of monitors will be notified later");
    return;
  }
}
