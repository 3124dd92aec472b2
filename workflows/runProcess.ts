import { Runtime } from "@temporalio/worker";
import type { Logger } from "pino";
import { type Config, ConfigError, readConfig } from "../src/config.ts";
import { createLog } from "../src/observability/log.ts";
import { refuseOldDataDir } from "../src/store/write/oldDataDir.ts";
import { temporalLogger } from "./temporalLogger.ts";

/** How long a stop may take after the grace period for running activities. */
export const forceAfterGraceMs = 5_000;

const forwardedLogs = { filter: { core: "WARN", other: "WARN" }, forward: {} } as const;

/**
 * Runs a worker process until SIGTERM, SIGINT or the end of its parent process.
 *
 * Exits with 0 after a requested stop, and with 1 when it cannot continue, so that its supervisor restarts it.
 */
export async function runProcess(
  name: string,
  run: (config: Config, log: Logger, stop: AbortSignal) => Promise<void>,
): Promise<void> {
  const config = readConfigOrExit();
  const log = createLog(config.log, name);
  Runtime.install({ logger: temporalLogger(log), shutdownSignals: [], telemetryOptions: { logging: forwardedLogs } });
  const stop = new AbortController();
  const stopBecause = (reason: string) => {
    if (stop.signal.aborted) return;
    log.info({ reason }, `The ${name} stops after its running activities`);
    stop.abort();
    // Without Temporal the SDK may never finish its part of a stop.
    setTimeout(() => process.exit(1), config.server.shutdownTimeoutMs + 2 * forceAfterGraceMs).unref();
  };
  process.on("SIGTERM", () => stopBecause("SIGTERM"));
  process.on("SIGINT", () => stopBecause("SIGINT"));
  if (process.send !== undefined) process.on("disconnect", () => stopBecause("the parent process is gone"));
  try {
    await run(config, log, stop.signal);
    log.info(`The ${name} has stopped`);
    process.exit(0);
  } catch (error) {
    if (stop.signal.aborted) process.exit(0);
    log.fatal({ err: error }, `The ${name} cannot continue; fix what the error names and start it again`);
    process.exit(1);
  }
}

function readConfigOrExit(): Config {
  try {
    const config = readConfig();
    refuseOldDataDir(config.stack.dataDir);
    return config;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}
