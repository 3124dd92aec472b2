import { WorkflowNotFoundError } from "@temporalio/client";
import pLimit from "p-limit";
import type { Logger } from "pino";
import type { Questdbs } from "../../store/questdb/questdbs.ts";
import type { RunTools } from "../../store/temporal/runs.ts";
import { workflowIdSql } from "../../store/temporal/workflowIds.ts";
import { type Monitor, monitorColumns } from "../monitor/monitor.ts";
import { monitorsWithoutProgress } from "./monitorsWithoutProgress.ts";
import { notifyMonitor } from "./notifyMonitor.ts";

export type ReconcileTools = RunTools & {
  readonly questdb: Pick<Questdbs, "nodeOfEach">;
  readonly log: Pick<Logger, "warn">;
};

/**
 * Monitors that were notified of missed changes, those whose stuck run was replaced, and those that failed and are
 * tried again in the next run.
 */
export type Reconciled = { readonly notified: number; readonly replaced: number; readonly failed: number };

type Found = Monitor & { readonly isDeleted: boolean };

/** The most concurrent calls. */
const atOnce = 20;

/**
 * Brings Temporal in line with PostgreSQL: notifies workflows of changes they missed, starts missing workflows, ends
 * those of deleted monitors, and replaces runs that make no progress because their tasks fail.
 */
export async function reconcileMonitors(tools: ReconcileTools, signal: AbortSignal): Promise<Reconciled> {
  // Listed first: whatever runs now and is not in PostgreSQL afterwards was deleted, not just created.
  const running = await runningMonitors(tools);
  const { rows: different } = await tools.postgres.query<Found>(
    `SELECT ${monitorColumns}, deleted_at IS NOT NULL AS "isDeleted" FROM monitors
     WHERE notified_revision < revision OR (deleted_at IS NULL) <> (${workflowIdSql("monitor")} = ANY($1)) ORDER BY updated_at`,
    [running],
  );
  const isRunning = new Set(running);
  const idle = await monitorsWithoutProgress(tools, Date.now()).catch((error: unknown) => {
    tools.log.warn({ err: error }, "the progress of monitors cannot be checked now, the next run tries again");
    return [];
  });
  const suspects = [
    ...idle.map((monitor) => ({ ...monitor, isDeleted: false })),
    ...different.filter(({ isDeleted }) => isDeleted),
  ].filter(({ workflowId }) => isRunning.has(workflowId));

  const notified = await forEach(different, async (monitor) => {
    await notifyMonitor(tools, monitor, monitor.isDeleted);
    return true;
  });
  const replaced = await forEach(suspects, async (monitor) => {
    if (!(await endStuckRun(tools, monitor.workflowId))) return false;
    if (monitor.isDeleted) await closeIncidents(tools, monitor.id);
    else await notifyMonitor(tools, monitor);
    return true;
  });
  return { notified: notified.done, replaced: replaced.done, failed: notified.failed + replaced.failed };

  async function forEach(monitors: readonly Found[], act: (monitor: Found) => Promise<boolean>) {
    const counts = { done: 0, failed: 0 };
    await pLimit(atOnce).map(monitors, async (monitor) => {
      signal.throwIfAborted();
      try {
        if (await act(monitor)) counts.done += 1;
      } catch (error) {
        counts.failed += 1;
        tools.log.warn({ err: error }, "a monitor's workflow could not be notified, the next run tries again");
      }
    });
    return counts;
  }
}

/** A run that was not stuck does this at its end. */
async function closeIncidents({ postgres }: RunTools, monitorId: string): Promise<void> {
  await postgres.query("UPDATE incidents SET resolved_at = now() WHERE monitor_id = $1 AND resolved_at IS NULL", [
    monitorId,
  ]);
}

/** The workflow ids of running monitors. */
async function runningMonitors({ temporal }: RunTools): Promise<string[]> {
  const ids: string[] = [];
  const query = "LookoutKind = 'monitor' AND ExecutionStatus = 'Running'";
  for await (const { workflowId } of temporal.client.workflow.list({ query, pageSize: 1_000 })) ids.push(workflowId);
  return ids;
}

/**
 * A worker that was killed or is overloaded leaves a task unfinished once or twice; more failures will not stop by
 * themselves.
 */
const failuresOfStuckRun = 3;

/** Terminates the run of a monitor whose workflow tasks keep failing; resolves to whether it did. */
async function endStuckRun({ temporal }: RunTools, workflowId: string): Promise<boolean> {
  const handle = temporal.client.workflow.getHandle(workflowId);
  try {
    const { raw } = await handle.describe();
    if ((raw.pendingWorkflowTask?.attempt ?? 0) <= failuresOfStuckRun) return false;
    await handle.terminate("Its workflow tasks keep failing; a new run continues");
    return true;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}
