import type { WorkflowService } from "@temporalio/client";
import type { HealthSource } from "./source.ts";
import type { Condition } from "./states.ts";

/** A queue of work in Temporal that workers have to poll. */
type PolledQueue = { readonly name: string; readonly kind: "workflow" | "activity"; readonly unpolled: Condition };

/** Temporal answers a poll without work after a minute, and the worker begins the next. */
export const silentAfterMs = 90_000;

/** Whether no process has polled for `silentAfterMs`, and this one was watching all that time. Times are Unix ms. */
export function isSilent(polledMs: readonly number[], watchedSinceMs: number, nowMs: number): boolean {
  return Math.max(watchedSinceMs, ...polledMs) + silentAfterMs < nowMs;
}

const lookEveryMs = 15_000;

/** Reports task queues of Temporal without pollers: those of the workers, and of the probes of the other regions. */
export function pollerSource(
  service: Pick<WorkflowService, "describeTaskQueue">,
  { namespace, taskQueue }: { readonly namespace: string; readonly taskQueue: string },
  probeRegions: readonly string[],
): HealthSource {
  const watchedSinceMs = Date.now();
  const queues = polledQueues(taskQueue, probeRegions);
  return {
    everyMs: lookEveryMs,
    async read() {
      const found = await Promise.all(
        queues.map(async ({ name, kind, unpolled }) => {
          const { pollers } = await service.describeTaskQueue({
            namespace,
            taskQueue: { name },
            taskQueueType: kind === "workflow" ? workflowQueue : activityQueue,
          });
          const polledMs = (pollers ?? []).map(({ lastAccessTime }) => Number(lastAccessTime?.seconds ?? 0) * 1_000);
          return isSilent(polledMs, watchedSinceMs, Date.now()) ? [unpolled] : [];
        }),
      );
      return found.flat();
    },
  };
}

function polledQueues(taskQueue: string, probeRegions: readonly string[]): PolledQueue[] {
  const kinds = ["workflow", "activity"] as const;
  const ofWorker = kinds.map((kind): PolledQueue => {
    const message = `no worker asks for ${kind} tasks of the queue ${taskQueue}`;
    return { name: taskQueue, kind, unpolled: { state: "no_worker", of: kind, message } };
  });
  const ofProbes = probeRegions.map((region): PolledQueue => {
    const message = `no probe of the region ${region} asks for work`;
    return { name: probeQueueOf(region), kind: "activity", unpolled: { state: "no_probe", of: region, message } };
  });
  return [...ofWorker, ...ofProbes];
}

/** The task queue of the probes of a region. */
export function probeQueueOf(region: string): string {
  return `lookout-probe-${region}`;
}

/** Values of the enum temporal.api.enums.v1.TaskQueueType. */
const workflowQueue = 1;
const activityQueue = 2;
