import { type ActivityInterfaceFor, type ActivityOptions, proxyActivities } from "@temporalio/workflow";

/**
 * The longest heartbeat gap before an activity is given to another worker. Workers send a heartbeat in each quarter of
 * it.
 */
const heartbeatTimeout = "12 seconds";

/** No limit on attempts: an activity waits until its store is back. */
const retryForever = { initialInterval: "1 second", maximumInterval: "1 minute" } as const;

/** Every activity needs one of these limits, besides the heartbeat timeout. */
type Bounded = Pick<
  ActivityOptions,
  "taskQueue" | "scheduleToStartTimeout" | "heartbeatTimeout" | "cancellationType" | "retry"
> &
  (Required<Pick<ActivityOptions, "startToCloseTimeout">> | Required<Pick<ActivityOptions, "scheduleToCloseTimeout">>);

/**
 * Creates the activity stubs of a workflow. All workflows use this, so that no activity lacks a heartbeat timeout: if
 * its worker was killed, it is retried on another within 15 seconds. The worker sends the heartbeats (heartbeat.ts), so
 * an activity's code need not.
 */
export function aliveActivities<T>(options: Bounded): ActivityInterfaceFor<T> {
  return proxyActivities<T>({ heartbeatTimeout, ...options, retry: { ...retryForever, ...options.retry } });
}
