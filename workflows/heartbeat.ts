import { AsyncLocalStorage } from "node:async_hooks";
import { Context } from "@temporalio/activity";
import type { WorkerOptions } from "@temporalio/worker";

/** Several fit into the usual heartbeat timeout (activityOptions.ts). */
const heartbeatEveryMs = 3_000;
/** Heartbeats in an activity's own heartbeat timeout. */
const heartbeatsPerTimeout = 4;

/** The details that the next heartbeats of an activity carry. */
const progress = new AsyncLocalStorage<{ details: unknown }>();

/**
 * Options of every worker: each running activity sends heartbeats by itself. An activity whose worker is killed is
 * noticed within seconds and retried; one that waits for a store is not.
 */
export const heartbeating: Pick<WorkerOptions, "interceptors" | "maxHeartbeatThrottleInterval"> = {
  interceptors: {
    activity: [
      (context) => ({
        inbound: {
          execute: async (input, next) => {
            if (context.info.heartbeatTimeoutMs === undefined) return await next(input);
            // Keep what the previous attempt reported until there is something newer.
            const current = { details: context.info.heartbeatDetails as unknown };
            const timer = setInterval(
              () => context.heartbeat(current.details),
              context.info.heartbeatTimeoutMs / heartbeatsPerTimeout,
            );
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

/** Reports the progress of the running activity: operators see it, and the next attempt gets it if this one is lost. */
export function reportProgress(details: unknown): void {
  const current = progress.getStore();
  if (current !== undefined) current.details = details;
  Context.current().heartbeat(details);
}
