/**
 * The probe of a region, `npm run probe -- --region eu-1`: runs the checks that monitors request from there, until
 * SIGTERM or SIGINT. It needs the address of Temporal and UPTIME_PROBE_KEY but no other store, and listens only for its operator.
 * UPTIME_REGIONS lists the regions for the API.
 */
import { parseArgs } from "node:util";
import { type ActivityInterceptorsFactory, Worker } from "@temporalio/worker";
import { exitCodes } from "../src/errors/startFailure.ts";
import { Health } from "../src/health/health.ts";
import { probeQueueOf } from "../src/health/pollerSource.ts";
import { NotReadyError, storeSource } from "../src/health/storeSource.ts";
import { TaskClock } from "../src/health/taskClock.ts";
import type { RunningService } from "../src/main/runService.ts";
import { createMetrics } from "../src/observability/metrics.ts";
import { startOperationsServer } from "../src/observability/operationsServer.ts";
import { operatorAnswers } from "../src/observability/operatorAnswers.ts";
import { connectTemporal, workUntil } from "./connectTemporal.ts";
import { heartbeating } from "./heartbeat.ts";
import { forceAfterGraceMs, runProcess } from "./runProcess.ts";
import { tracedActivities } from "./tracedActivities.ts";
import { createProbeActivities } from "./uptime/uptimeActivities.ts";
import { addWorkerMetrics } from "./workerMetrics.ts";

async function run(region: string, { config, log, stop }: RunningService): Promise<void> {
  const { temporal, uptime, server } = config;
  const probeKey = uptime.probeKey ?? exitWith("Set UPTIME_PROBE_KEY to the same value as the service");
  const connection = await connectTemporal(config, log, stop, async (made) => {
    await made.workflowService.describeNamespace({ namespace: temporal.namespace });
  });
  const metrics = createMetrics();
  const workers: Worker[] = [];
  addWorkerMetrics(metrics.registry, workers);
  const stores = storeSource({
    temporal: async () => {
      await connection.workflowService.getSystemInfo({});
      if (workers[0]?.getState() !== "RUNNING") throw new NotReadyError("not_polling", "the probe does not poll");
    },
  });
  const clock = new TaskClock();
  const health = new Health("probe", [stores, clock], { log, metrics }, () => ({ stores: stores.shown }));
  const operations = await startOperationsServer(
    { ...config.operations, port: config.operations.probePort, setting: "PROBE_OPERATIONS_PORT" },
    operatorAnswers(metrics, () => health.readyz()),
    log,
  );
  try {
    const worker = await Worker.create({
      connection,
      namespace: temporal.namespace,
      taskQueue: probeQueueOf(region),
      activities: createProbeActivities({ metrics }, { ...uptime, region }, probeKey),
      maxConcurrentActivityTaskExecutions: uptime.checksAtOnce,
      activityTaskPollerBehavior: { type: "autoscaling", maximum: 20 },
      ...heartbeating,
      interceptors: {
        activity: [...(heartbeating.interceptors?.activity ?? []), ...tracedActivities(), notingArrival(clock)],
      },
      shutdownGraceTime: server.shutdownTimeoutMs,
      shutdownForceTime: server.shutdownTimeoutMs + forceAfterGraceMs,
    });
    workers.push(worker);
    void health.watch(stop);
    await workUntil(stop, workers, log);
  } finally {
    await connection.close();
    await operations.close();
  }
}

/** Notes when each task arrives. */
function notingArrival(clock: TaskClock): ActivityInterceptorsFactory {
  return ({ info }) => {
    clock.note(info.currentAttemptScheduledTimestampMs, Date.now());
    return {};
  };
}

function regionOrExit(): string {
  const { region } = parseArgs({ options: { region: { type: "string" } }, strict: false }).values;
  if (typeof region === "string" && /^[a-z0-9-]{1,64}$/.test(region)) return region;
  return exitWith("Name the region of this probe: npm run probe -- --region eu-1 (a-z, 0-9 and -)");
}

function exitWith(message: string): never {
  console.error(message);
  process.exit(exitCodes.needsOperator);
}

const region = regionOrExit();
await runProcess("probe", (service) => run(region, service));
