import type { Logger } from "pino";
import { type Monitor, monitorColumns } from "./monitor.ts";
import { type TellTools, tellMonitor } from "./tellMonitor.ts";

/** Monitors that were told what Temporal had missed, and those that failed and wait for the next time. */
export type Reconciled = { readonly told: number; readonly failed: number };

/** Tellings that are on their way at once. */
const atOnce = 20;

/**
 * Brings Temporal in line with PostgreSQL: tells the workflows of monitors whose change they do not know, starts those that do not run,
 * and ends those of deleted monitors. `onProgress` is called after each part.
 */
export async function reconcileMonitors(
  tools: TellTools,
  log: Pick<Logger, "warn">,
  onProgress: () => void,
  signal: AbortSignal,
): Promise<Reconciled> {
  // Listed first: what runs now and is not in PostgreSQL then was deleted, not made in the meantime.
  const running = await runningMonitors(tools);
  const { rows: monitors } = await tools.postgres.query<Monitor & { readonly isDeleted: boolean }>(
    `SELECT ${monitorColumns}, deleted_at IS NOT NULL AS "isDeleted" FROM monitors
     WHERE told_revision < revision OR (deleted_at IS NULL) <> (id = ANY($1)) ORDER BY updated_at`,
    [running],
  );
  let failed = 0;
  for (let from = 0; from < monitors.length; from += atOnce) {
    signal.throwIfAborted();
    const tellings = monitors
      .slice(from, from + atOnce)
      .map((monitor) => tellMonitor(tools, monitor, monitor.isDeleted));
    for (const { reason } of (await Promise.allSettled(tellings)).filter((telling) => telling.status === "rejected")) {
      failed += 1;
      log.warn({ err: reason }, "a monitor's workflow could not be told, the next run tries again");
    }
    onProgress();
  }
  return { told: monitors.length - failed, failed };
}

async function runningMonitors({ temporal }: TellTools): Promise<string[]> {
  const ids: string[] = [];
  const query = "LookoutKind = 'monitor' AND ExecutionStatus = 'Running'";
  for await (const { workflowId } of temporal.client.workflow.list({ query, pageSize: 1_000 }))
    ids.push(workflowId.replace(/^monitor\//, ""));
  return ids;
}
