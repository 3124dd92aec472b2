import type { Worker, WorkerStatus } from "@temporalio/worker";
import { Counter, Gauge, type Registry } from "prom-client";
import { sdkWarnings } from "./temporalLogger.ts";

/** A worker as far as its metrics go. */
export type ObservedWorker = {
  readonly options: { readonly taskQueue: string; readonly tuner: Worker["options"]["tuner"] };
  getStatus(): WorkerStatus;
};

/** A kind of Temporal task: how many a worker has in work, and which supplier limits them. */
const taskKinds = [
  ["workflow", "numInFlightWorkflowActivations", "workflowTaskSlotSupplier"],
  ["activity", "numInFlightNonLocalActivities", "activityTaskSlotSupplier"],
  ["local_activity", "numInFlightLocalActivities", "localActivityTaskSlotSupplier"],
  ["watch", "numInFlightNonLocalActivities", "activityTaskSlotSupplier"],
] as const;

/**
 * Metrics about the workers of a process; `workers` may grow later. The one that polls `watchQueue` has its own kind:
 * each monitor that it watches takes one of its slots all the time.
 */
export function addWorkerMetrics(registry: Registry, workers: readonly ObservedWorker[], watchQueue?: string): void {
  const registers = [registry];
  const isOf = (kind: string) => (worker: ObservedWorker) =>
    (worker.options.taskQueue === watchQueue) === (kind === "watch");
  const labelNames = ["kind"];
  new Gauge({
    name: "lookout_temporal_tasks_running",
    help: "Tasks of Temporal that this process has in work",
    labelNames,
    registers,
    collect() {
      for (const [kind, running] of taskKinds)
        this.set(
          { kind },
          sumOf(workers.filter(isOf(kind)), (worker) => worker.getStatus()[running]),
        );
    },
  });
  new Gauge({
    name: "lookout_temporal_task_slots",
    help: "Tasks of Temporal that this process takes at a time; further ones wait",
    labelNames,
    registers,
    collect() {
      for (const [kind, , supplier] of taskKinds)
        this.set({ kind }, sumOf(workers.filter(isOf(kind)), slotsOf(supplier)));
    },
  });
  new Gauge({
    name: "lookout_temporal_pollers_failed",
    help: "Pollers that have given up, so that this process gets no tasks of their kind until it is started again",
    registers,
    collect() {
      this.set(sumOf(workers, (worker) => failedPollers(worker.getStatus())));
    },
  });
  new Gauge({
    name: "lookout_temporal_cached_workflows",
    help: "Workflows that this process has in memory",
    registers,
    collect() {
      this.set(sumOf(workers, (worker) => worker.getStatus().numCachedWorkflows));
    },
  });
  new Counter({
    name: "lookout_temporal_warnings_total",
    help: "Warnings of Temporal's SDK, such as of polls that failed and are tried again",
    registers,
    collect() {
      this.reset();
      this.inc(sdkWarnings());
    },
  });
}

function sumOf(workers: readonly ObservedWorker[], figure: (worker: ObservedWorker) => number): number {
  return workers.reduce((sum, worker) => sum + figure(worker), 0);
}

function failedPollers({ workflowPollerState, activityPollerState }: WorkerStatus): number {
  return [workflowPollerState, activityPollerState].filter((state) => state === "FAILED").length;
}

/** Only suppliers of a fixed size have a number, as ours do. */
function slotsOf(supplier: (typeof taskKinds)[number][2]): (worker: ObservedWorker) => number {
  return ({ options: { tuner } }) => {
    const slots = supplier in tuner ? tuner[supplier] : undefined;
    return slots?.type === "fixed-size" ? slots.numSlots : 0;
  };
}
