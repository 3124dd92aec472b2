import { type ActivityInterfaceFor, type ActivityOptions, proxyActivities } from "@temporalio/workflow";

/** How long the worker of an activity may be silent until another is given it. Workers send a heartbeat each three seconds. */
const heartbeatTimeout = "12 seconds";

/** A store that is away is waited for: the retries have no end. */
const retryForever = { initialInterval: "1 second", maximumInterval: "1 minute" } as const;

/** An activity has to be bounded, by one of these. Its worker is watched whatever they are. */
type Bounded = Pick<ActivityOptions, "taskQueue" | "scheduleToStartTimeout" | "cancellationType" | "retry"> &
  (Required<Pick<ActivityOptions, "startToCloseTimeout">> | Required<Pick<ActivityOptions, "scheduleToCloseTimeout">>);

/**
 * Activities as workflows call them. All go through here, so that none is forgotten: one whose worker was killed is seen within 15 seconds and
 * made again. The worker sends the heartbeats by itself (heartbeat.ts), so an activity may be silent for as long as it works.
 */
export function aliveActivities<T>(options: Bounded): ActivityInterfaceFor<T> {
  return proxyActivities<T>({ ...options, heartbeatTimeout, retry: { ...retryForever, ...options.retry } });
}
