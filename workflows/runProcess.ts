import { Runtime } from "@temporalio/worker";
import type { Logger } from "pino";
import { type Config, readConfig } from "../src/config.ts";
import { exitCodes, explainFileError, StartFailure } from "../src/errors/startFailure.ts";
import { misspeltSettings } from "../src/misspeltSettings.ts";
import { createLog } from "../src/observability/log.ts";
import { startTraces, stopTraces } from "../src/observability/traces.ts";
import { prepareDataDir } from "../src/store/write/dataDir.ts";
import { temporalLogger } from "./temporalLogger.ts";

/** How long a stop may take after the grace period for running activities. */
export const forceAfterGraceMs = 5_000;

const forwardedLogs = { filter: { core: "WARN", other: "WARN" }, forward: {} } as const;

/**
 * Runs a worker process until SIGTERM, SIGINT or the end of its parent process.
 *
 * Exits with 0 after a requested stop, with 1 when it cannot continue, so that its supervisor restarts it, and with 2 when its operator
 * has to change something first. A probe keeps nothing in DATA_DIR.
 */
export async function runProcess(
  name: "worker" | "probe",
  run: (config: Config, log: Logger, stop: AbortSignal) => Promise<void>,
): Promise<void> {
  const config = readConfigOrExit(name === "worker");
  const log = createLog(config.log, name);
  for (const warning of misspeltSettings()) log.warn(warning);
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
    await startTraces(config, name, log);
    await run(config, log, stop.signal);
    await stopTraces();
    log.info(`The ${name} has stopped`);
    process.exit(0);
  } catch (error) {
    if (stop.signal.aborted) process.exit(0);
    const failure = explainFileError(error, config.stack.dataDir);
    if (failure instanceof StartFailure) exitFor(failure);
    log.fatal({ err: error }, `The ${name} cannot continue; fix what the error names and start it again`);
    process.exit(exitCodes.failed);
  }
}

function readConfigOrExit(usesDataDir: boolean): Config {
  try {
    const config = readConfig();
    if (usesDataDir) prepareDataDir(config.stack.dataDir);
    return config;
  } catch (error) {
    if (!(error instanceof StartFailure)) throw error;
    return exitFor(error);
  }
}

function exitFor({ message, exitCode }: StartFailure): never {
  console.error(message);
  process.exit(exitCode);
}
