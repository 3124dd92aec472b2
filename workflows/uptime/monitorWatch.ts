import {
  ActivityFailure,
  CancellationScope,
  condition,
  isCancellation,
  log,
  TimeoutFailure,
  workflowInfo,
} from "@temporalio/workflow";
import {
  type WatchEnd,
  type WatchedMonitor,
  type WatchReport,
  watchMs,
  watchQueueOf,
} from "../../src/uptime/run/watchedMonitor.ts";
import { slotAt } from "../../src/uptime/state/slots.ts";
import { aliveActivities } from "../activityOptions.ts";
import { checkMs, marginMs } from "./monitorCheck.ts";
import type { WatchActivities } from "./watchActivities.ts";

/**
 * After this time without a heartbeat another worker continues. A shorter one costs more, since heartbeats are most of
 * what a watched monitor costs Temporal; with a longer one its slots are late after a worker was killed.
 */
const heartbeatTimeoutMs = 20_000;

/** If no worker has room by then, the workflow has the next slot checked as that of a monitor that is not watched. */
const waitMs = 10_000;

/** A slot that came due this short before an interruption may not have been checked. */
const uncertainMs = 5_000;

/**
 * Has a monitor in a steady state watched, until something changes or the workflow is to do something else. Of several
 * slots that were checked only the last one can change the state.
 */
export async function watch(watched: WatchedMonitor, isInterrupted: () => boolean): Promise<WatchEnd> {
  const { settings, lastDueMs } = watched;
  const { watchMonitor } = aliveActivities<WatchActivities>({
    taskQueue: watchQueueOf(workflowInfo().taskQueue),
    scheduleToStartTimeout: waitMs,
    startToCloseTimeout: watchMs + checkMs(settings) + marginMs,
    heartbeatTimeout: heartbeatTimeoutMs,
    retry: { maximumInterval: "1 second" },
  });
  const scope = new CancellationScope();
  let end: WatchEnd | undefined;
  const watching = scope
    .run(() => watchMonitor(watched))
    .catch((error: unknown) => endOf(error, lastDueMs))
    .then((ended) => {
      end = ended;
    });
  await condition(() => end !== undefined || isInterrupted());
  if (end !== undefined) return end;
  scope.cancel();
  await watching;
  const { intervalMs, phaseMs } = settings;
  return { lastDueMs: Math.max(lastDueMs, slotAt(Date.now() - uncertainMs, intervalMs, phaseMs)) };
}

/** The end of a watch that failed, from its last heartbeat. */
function endOf(error: unknown, lastDueMs: number): WatchEnd {
  if (isCancellation(error)) return { lastDueMs };
  log.info("The watch of a monitor ended without a result", { error });
  const cause = error instanceof ActivityFailure ? error.cause : undefined;
  // Only the watch sends heartbeats of this activity.
  const report = cause instanceof TimeoutFailure ? (cause.lastHeartbeatDetails as WatchReport | undefined) : undefined;
  return { lastDueMs: report === undefined ? lastDueMs : Math.max(lastDueMs, Date.parse(report.lastSlot)) };
}
