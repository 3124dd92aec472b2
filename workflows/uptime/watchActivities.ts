import { setTimeout as pause } from "node:timers/promises";
import { activityInfo, Context } from "@temporalio/activity";
import { ApplicationFailure, ApplicationFailureCategory } from "@temporalio/common";
import type { Logger } from "pino";
import { FairQueue } from "../../src/concurrency/fairQueue.ts";
import type { Metrics } from "../../src/observability/metrics.ts";
import type { WatchEnd, WatchedMonitor, WatchReport } from "../../src/uptime/run/watchedMonitor.ts";
import { watchMonitor } from "../../src/uptime/run/watchMonitor.ts";
import { reportProgress } from "../heartbeat.ts";
import type { UptimeActivities } from "./uptimeActivities.ts";

export type WatchActivities = ReturnType<typeof createWatchActivities>;

type WatchTools = {
  readonly checkAndStore: UptimeActivities["checkAndStore"];
  readonly metrics: Pick<Metrics, "checksLost">;
  readonly log: Pick<Logger, "warn">;
  readonly checksAtOnce: number;
};

/** No check waits as long: it would be too late for its slot. */
const maxWaitMs = 300_000;

/** The activity of watched monitors. After `stop` it hands them over to other workers. */
export function createWatchActivities({ checkAndStore, metrics, log, checksAtOnce }: WatchTools, stop: AbortSignal) {
  const checks = new FairQueue({
    atOnce: checksAtOnce,
    atOncePerOwner: checksAtOnce,
    maxWaiting: Number.POSITIVE_INFINITY,
    maxWaitingPerOwner: Number.POSITIVE_INFINITY,
    maxWaitMs,
  });

  return {
    /** Checks a monitor at its slots until a result changes its state, its settings have changed, or the time is up. */
    async watchMonitor(watched: WatchedMonitor): Promise<WatchEnd> {
      const cancelled = Context.current().cancellationSignal;
      const ending = AbortSignal.any([cancelled, stop]);
      // Only the reports below set heartbeat details of this activity.
      const lost = activityInfo().heartbeatDetails as WatchReport | undefined;
      const lastDueMs = Math.max(watched.lastDueMs, lost === undefined ? 0 : Date.parse(lost.lastSlot));
      try {
        return await watchMonitor(
          {
            async check(slot, known) {
              try {
                const checked = await checks.run(slot.websiteId, cancelled, () => checkAndStore(slot, known));
                return checked.kind === "checked" ? checked.slot : undefined;
              } catch (error) {
                cancelled.throwIfAborted();
                log.warn({ err: error, monitorId: slot.monitorId }, "a slot was not checked, its workflow tries again");
                return undefined;
              }
            },
            sleepUntil: (timeMs) => pause(Math.max(0, timeMs - Date.now()), undefined, { signal: ending }),
            report: reportProgress,
            lost: (reason, slots) => metrics.checksLost.inc({ reason }, slots),
          },
          { ...watched, lastDueMs },
        );
      } catch (error) {
        if (cancelled.aborted || !stop.aborted) throw error;
        // It is retried by another worker, from the last heartbeat.
        const message = "The worker stops; another one goes on";
        throw ApplicationFailure.create({ message, category: ApplicationFailureCategory.BENIGN });
      }
    },
  };
}
