/**
 * The worker process: runs workflows and activities until SIGTERM, SIGINT or the end of the parent it was forked by.
 *
 * Exits 0 after a stop that was asked for, 1 when it cannot go on, so that what supervises it starts it again.
 * It tells a parent `{ready: {}}` when it polls.
 */
import { fileURLToPath } from "node:url";
import { Client } from "@temporalio/client";
import { NativeConnection, Runtime, Worker } from "@temporalio/worker";
import { type Logger, pino } from "pino";
import { type Config, ConfigError, readConfig } from "../src/config.ts";
import { createMetrics } from "../src/metrics.ts";
import { openPostgres } from "../src/store/postgres.ts";
import { QuestdbReader } from "../src/store/questdbReader.ts";
import { prepareQuestdbTables } from "../src/store/questdbTables.ts";
import { RowWriter } from "../src/store/rowWriter.ts";
import { temporalConnectOptions } from "../src/store/temporalConnection.ts";
import { createActivities } from "./activities.ts";
import { registerSearchAttributes } from "./registerSearchAttributes.ts";
import { retryUntilReady } from "./retryUntilReady.ts";
import { ensureSchedule, scheduleDefinitions } from "./schedules.ts";
import { temporalLogger } from "./temporalLogger.ts";

/** After the grace for running activities, how long the rest of a stop may take. */
const forceAfterGraceMs = 5_000;

async function run(config: Config, log: Logger, stop: AbortSignal): Promise<void> {
  const { temporal } = config;
  const graceMs = config.server.shutdownTimeoutMs;
  Runtime.install({ logger: temporalLogger(log), shutdownSignals: [], telemetryOptions: { logging: forwardedLogs } });

  const connection = await retryUntilReady(() => connect(config, log), {
    stop,
    onRetry: (error, waitMs) =>
      log.warn(
        { address: temporal.address, reason: reasonOf(error), waitMs },
        "Temporal is not ready yet; trying again. If this goes on, check TEMPORAL_ADDRESS and TEMPORAL_NAMESPACE",
      ),
  });
  // Rows for a table that is missing would make one of QuestDB's own design.
  await prepareQuestdbTables(config.questdb, log, stop);
  const questdb = new QuestdbReader(config.questdb);
  const postgres = openPostgres(config.postgres, log);
  const rows = new RowWriter(config.questdb, createMetrics(), log);
  try {
    const worker = await Worker.create({
      connection,
      namespace: temporal.namespace,
      taskQueue: temporal.taskQueue,
      workflowsPath: fileURLToPath(new URL("./registry.ts", import.meta.url)),
      activities: createActivities({ questdb, rows, postgres, log }, settleMs(config)),
      shutdownGraceTime: graceMs,
      shutdownForceTime: graceMs + forceAfterGraceMs,
    });
    const running = worker.run();
    const shutdown = () => worker.shutdown();
    if (stop.aborted) shutdown();
    else stop.addEventListener("abort", shutdown, { once: true });
    log.info({ taskQueue: temporal.taskQueue, namespace: temporal.namespace }, "The worker polls for work");
    if (process.connected) process.send?.({ ready: {} });
    await running;
  } finally {
    await rows.close();
    await Promise.all([questdb.close(), postgres.end()]);
    await connection.close();
  }
}

/** A row is visible so long after its day was noted at the latest: the note counts for a second, a commit may take its time. */
function settleMs({ questdb }: Config): number {
  return 2 * questdb.commitTimeoutMs + 30_000;
}

/** A connection to a Temporal that has our search attributes and Schedules. */
async function connect({ temporal }: Config, log: Logger): Promise<NativeConnection> {
  const connection = await NativeConnection.connect(temporalConnectOptions(temporal));
  try {
    await registerSearchAttributes(connection, temporal.namespace);
    const client = new Client({ connection, namespace: temporal.namespace });
    for (const definition of scheduleDefinitions(temporal.taskQueue)) {
      const outcome = await ensureSchedule(client, definition);
      log.info({ outcome, schedule: definition.scheduleId }, "A Schedule is in place");
    }
    return connection;
  } catch (error) {
    await connection.close();
    throw error;
  }
}

const forwardedLogs = { filter: { core: "WARN", other: "WARN" }, forward: {} } as const;

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function main(): Promise<void> {
  const config = readConfig();
  const log = pino({ name: "worker", level: config.log.level });
  const stop = new AbortController();
  const stopBecause = (reason: string) => {
    if (stop.signal.aborted) return;
    log.info({ reason }, "The worker stops after its running activities");
    stop.abort();
    // Without Temporal the SDK may never finish its part of a stop.
    setTimeout(() => process.exit(1), config.server.shutdownTimeoutMs + 2 * forceAfterGraceMs).unref();
  };
  process.on("SIGTERM", () => stopBecause("SIGTERM"));
  process.on("SIGINT", () => stopBecause("SIGINT"));
  if (process.send !== undefined) process.on("disconnect", () => stopBecause("the parent process is gone"));
  try {
    await run(config, log, stop.signal);
    log.info("The worker has stopped");
    process.exit(0);
  } catch (error) {
    if (stop.signal.aborted) process.exit(0);
    log.fatal({ err: error }, "The worker cannot go on; mend what the error names and start it again");
    process.exit(1);
  }
}

try {
  await main();
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
