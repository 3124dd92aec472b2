/** The worker process, `npm run worker`: runs workflows and their activities, and makes the checks of the service's own region. */
import { setTimeout as pause } from "node:timers/promises";
import { Client } from "@temporalio/client";
import { type InjectedSinks, type NativeConnection, Worker } from "@temporalio/worker";
import type { Config } from "../src/config.ts";
import { openHealth } from "../src/health/openHealth.ts";
import { NotReadyError } from "../src/health/storeSource.ts";
import { keepLocalFiles, openLocalFiles } from "../src/lifecycle/export/storage/localFiles.ts";
import { newGuard, openBrokersOf, openRowLog, openStores } from "../src/main/compose.ts";
import { openWriters } from "../src/main/openWriters.ts";
import type { RunningService } from "../src/main/runService.ts";
import type { Metrics } from "../src/observability/metrics.ts";
import { startOperationsServer } from "../src/observability/operationsServer.ts";
import { operatorAnswers } from "../src/observability/operatorAnswers.ts";
import { addSubjectMetrics } from "../src/observability/subjectMetrics.ts";
import { hasTraces } from "../src/observability/traces.ts";
import { catchUpReplicas } from "../src/scale/erasure/catchUpReplicas.ts";
import { checkKeys } from "../src/secrets/checkKeys.ts";
import { checkDatabase } from "../src/store/postgres/postgres.ts";
import { prepareQuestdbTables } from "../src/store/questdb/questdbTables.ts";
import { watchTables } from "../src/store/questdb/watchTables.ts";
import { registerSearchAttributes } from "../src/store/temporal/registerSearchAttributes.ts";
import { tracedRuns } from "../src/store/temporal/tracedRuns.ts";
import { addCertificateMetrics } from "../src/uptime/figures/certificateMetrics.ts";
import { cacheMaintenanceWindows } from "../src/uptime/maintenance/maintenanceWindows.ts";
import { watchQueueOf } from "../src/uptime/run/watchedMonitor.ts";
import { DailySalt } from "../src/visitors/dailySalt.ts";
import { createActivities } from "./activities.ts";
import { createBackupActivities } from "./backup/backupActivities.ts";
import { payloadConverterPath } from "./bundleOptions.ts";
import { bundleWorkflows } from "./bundleWorkflows.ts";
import { cancelledActivities } from "./cancelledActivities.ts";
import { connectTemporal, workUntil } from "./connectTemporal.ts";
import { heartbeating } from "./heartbeat.ts";
import { createErasureActivities } from "./lifecycle/erasureActivities.ts";
import { createExportActivities, filesQueueOf } from "./lifecycle/exportActivities.ts";
import { createMoveActivities } from "./lifecycle/moveActivities.ts";
import { createRetentionActivities } from "./lifecycle/retentionActivities.ts";
import { makeSchedules, type ScheduleWork } from "./makeSchedules.ts";
import { forceAfterGraceMs, runProcess } from "./runProcess.ts";
import { tracedActivities } from "./tracedActivities.ts";
import type { CheckSinks } from "./uptime/checkSinks.ts";
import { createNotificationActivities } from "./uptime/notificationActivities.ts";
import { createUptimeActivities } from "./uptime/uptimeActivities.ts";
import { createWatchActivities } from "./uptime/watchActivities.ts";
import { addWorkerMetrics } from "./workerMetrics.ts";

/** A running PostgreSQL answers, and a running QuestDB creates the tables, in less time. */
const storesWaitMs = 2_000;
/** Checks come evenly, and no user waits for one as for an event: one commit a second takes a third of QuestDB's time of four. */
const checksGatherMs = 1_000;
/** A heartbeat costs Temporal and the worker 2 ms of CPU, so a watch sends fewer than others; its timeout in monitorWatch.ts is longer. */
const watchHeartbeatMs = 15_000;
/** With one poller each task waits for a round trip; too many only add load. */
const pollers = { type: "autoscaling", maximum: 20 } as const;

async function run({ config, log, stop }: RunningService): Promise<void> {
  const { temporal, uptime, server } = config;
  const bundle = bundleWorkflows({ traces: hasTraces(), cacheDir: config.stack.cacheDir });
  // It is awaited after Temporal and the stores.
  bundle.catch(() => undefined);
  const stores = openStores(config, log);
  const { metrics, postgres, questdb, sharded, keyring } = stores;
  // Before anything is changed: a newer version may have other Schedules. Without PostgreSQL checks continue, with the settings read last.
  const unusable = new AbortController();
  const note = (error: unknown): void => {
    if (!stop.aborted) unusable.abort(error);
  };
  await Promise.race([checkDatabase(postgres, stop).catch(note), pause(storesWaitMs)]);
  unusable.signal.throwIfAborted();
  const connection = await connectTemporal(config, log, stop, (made) =>
    prepareTemporal(made, config, { postgres, log }),
  );
  // For rows of a missing table QuestDB would create one of its own design.
  let tablesAreReady = false;
  const isReady = () => tablesAreReady;
  void questdb.watch(stop);
  const preparing = questdb.nodes.map(({ settings }) => prepareQuestdbTables(settings, log, stop));
  const tables = Promise.all(preparing).then(() => {
    tablesAreReady = true;
  }, note);
  // Without QuestDB checks continue; their rows wait in the log.
  await Promise.race([tables, pause(storesWaitMs)]);
  unusable.signal.throwIfAborted();
  addSubjectMetrics(metrics.registry, postgres);
  addCertificateMetrics(metrics.registry, stores);
  const tableHealth = watchTables(questdb, metrics, log, stop);
  const brokers = await openBrokersOf(stores, "worker");
  const writers = openWriters(stores, isReady, brokers);
  const guard = newGuard(stores);
  // In a directory of its own that no API reads: rows of events need steps before they are stored.
  const { checksDirectory } = config.durableLog;
  const {
    rows: checks,
    files,
    reports,
  } = await openRowLog(stores, checksDirectory, { isReady, guard, gatherMs: checksGatherMs }, brokers);
  await reports.begin();
  const client = new Client({
    connection,
    namespace: temporal.namespace,
    interceptors: { workflow: tracedRuns() },
  });
  const windows = cacheMaintenanceWindows(postgres, log);
  const graceMs = server.shutdownTimeoutMs;
  const localFiles = await openLocalFiles(config.exports);
  const workers: Worker[] = [];
  addWorkerMetrics(metrics.registry, workers, watchQueueOf(temporal.taskQueue));
  const health = openHealth("worker", stores, {
    areTablesReady: isReady,
    tableHealth,
    checkTemporal: () => checkTemporal(connection, workers),
    temporal: client,
    makeMissingSchedules: () => makeSchedules({ client, postgres, log }, temporal.taskQueue),
    log: files,
    brokers: brokers?.log,
  });
  const operations = await startOperationsServer(
    { ...config.operations, port: config.operations.workerPort, setting: "WORKER_OPERATIONS_PORT" },
    operatorAnswers(metrics, () => health.readyz()),
    log,
  );
  try {
    const exportActivities = createExportActivities({ postgres, questdb, temporal: { client }, config, localFiles });
    const uptimeActivities = createUptimeActivities(
      { checks, windows, log, metrics, postgres, questdb, keyring, temporal: { client }, config },
      uptime,
    );
    const common = {
      connection,
      namespace: temporal.namespace,
      activityTaskPollerBehavior: pollers,
      shutdownGraceTime: graceMs,
      shutdownForceTime: graceMs + forceAfterGraceMs,
      ...heartbeating,
      interceptors: {
        activity: [...(heartbeating.interceptors?.activity ?? []), cancelledActivities, ...tracedActivities()],
      },
    };
    const worker = await Worker.create({
      ...common,
      taskQueue: temporal.taskQueue,
      workflowBundle: await bundle,
      dataConverter: { payloadConverterPath },
      activities: {
        ...createActivities(
          { questdb, records: writers.records, postgres, config, log, metrics, salt: new DailySalt(postgres) },
          { settleMs: settleMs(config), retention: config.retention },
        ),
        ...createErasureActivities({ ...writers, postgres, temporal: { client }, log, config }, settleMs(config)),
        ...exportActivities,
        ...createNotificationActivities({ postgres, keyring, temporal: { client }, config }),
        ...createBackupActivities({
          postgres,
          get questdb() {
            return questdb.only("A backup").reader;
          },
          config,
          log,
        }),
        ...createMoveActivities({ postgres, questdb: sharded, brokers, config, log }),
        ...createRetentionActivities({ questdb, postgres, temporal: { client }, log, config }),
        ...uptimeActivities,
      },
      sinks: checkSinks(metrics),
      maxCachedWorkflows: uptime.cachedMonitors,
      // A workflow task is held until its check is done, so both need room for checks that hang.
      maxConcurrentLocalActivityExecutions: uptime.checksAtOnce,
      maxConcurrentWorkflowTaskExecutions: uptime.checksAtOnce,
      workflowTaskPollerBehavior: pollers,
    });
    const until = AbortSignal.any([stop, unusable.signal]);
    const { checkAndStore } = uptimeActivities;
    const watching = await Worker.create({
      ...common,
      taskQueue: watchQueueOf(temporal.taskQueue),
      activities: createWatchActivities({ checkAndStore, metrics, log, checksAtOnce: uptime.checksAtOnce }, until),
      // The workflows of the others have each slot checked by itself.
      maxConcurrentActivityTaskExecutions: uptime.cachedMonitors,
      maxHeartbeatThrottleInterval: watchHeartbeatMs,
    });
    workers.push(worker, watching);
    if (localFiles !== undefined) {
      const taskQueue = filesQueueOf(config, localFiles.id);
      workers.push(await Worker.create({ ...common, taskQueue, activities: exportActivities }));
    }
    void health.watch(stop);
    if (writers.replicas) void catchUpReplicas({ postgres, config, log }, writers.replicas, stop);
    const keeping = localFiles && keepLocalFiles({ postgres, temporal: { client }, log }, localFiles, until);
    // If a store turns out to be unusable, or a key wrong, the process ends.
    void checkKeys(postgres, keyring, log, until).catch(note);
    await Promise.all([workUntil(until, workers, log), keeping]);
    unusable.signal.throwIfAborted();
  } finally {
    await Promise.all([writers.close(), checks.close()]);
    await reports.end();
    await brokers?.close();
    await Promise.all([questdb.close(), postgres.end(), guard.close()]);
    await connection.close();
    await operations.close();
  }
}

/** Counts what workflows of monitors report. */
function checkSinks({ checksLost }: Metrics): InjectedSinks<CheckSinks> {
  return { checks: { lost: { fn: (_run, reason, slots) => checksLost.inc({ reason }, slots) } } };
}

/** The check of /readyz for Temporal. */
async function checkTemporal(connection: NativeConnection, workers: readonly Worker[]): Promise<void> {
  await connection.workflowService.getSystemInfo({});
  if (workers.length === 0 || workers.some((worker) => worker.getState() !== "RUNNING"))
    throw new NotReadyError("not_polling", "the worker does not poll");
}

/**
 * The longest time from marking a row's day as touched until the row is visible: a mark covers a second in its own process and one
 * more in the others, and a commit may be slow.
 */
function settleMs({ questdb }: Config): number {
  return 2 * questdb.commitTimeoutMs + 30_000;
}

/** Registers our search attributes and Schedules. */
async function prepareTemporal(
  connection: NativeConnection,
  { temporal }: Config,
  work: Omit<ScheduleWork, "client">,
): Promise<void> {
  await registerSearchAttributes(connection, temporal.namespace);
  await makeSchedules(
    { ...work, client: new Client({ connection, namespace: temporal.namespace }) },
    temporal.taskQueue,
  );
}

await runProcess("worker", run);
