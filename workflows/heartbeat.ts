import { AsyncLocalStorage } from "node:async_hooks";
import { Context } from "@temporalio/activity";
import type { WorkerOptions } from "@temporalio/worker";

/** A few of them fit into a heartbeat timeout (activityOptions.ts). */
const heartbeatEveryMs = 3_000;

/** What the next heartbeats of an activity carry. */
const progress = new AsyncLocalStorage<{ details: unknown }>();

/**
 * Options of every worker: each activity that runs heartbeats by itself, so that one whose worker is killed is seen within seconds and given
 * to another, and one that waits for a store is not.
 */
export const heartbeating: Pick<WorkerOptions, "interceptors" | "maxHeartbeatThrottleInterval"> = {
  interceptors: {
    activity: [
      (context) => ({
        inbound: {
          execute: async (input, next) => {
            if (context.info.heartbeatTimeoutMs === undefined) return await next(input);
            // What an attempt before has reported is kept until there is something newer.
            const current = { details: context.info.heartbeatDetails as unknown };
            const timer = setInterval(() => context.heartbeat(current.details), heartbeatEveryMs);
            try {
              return await progress.run(current, () => next(input));
            } finally {
              clearInterval(timer);
            }
          },
        },
      }),
    ],
  },
  maxHeartbeatThrottleInterval: heartbeatEveryMs,
};

/** Reports how far the running activity is: operators see it, and its next attempt finds it when this one is lost. */
export function reportProgress(details: unknown): void {
  const current = progress.getStore();
  if (current !== undefined) current.details = details;
  Context.current().heartbeat(details);
}
