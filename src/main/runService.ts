import type { Logger } from "pino";
import { type Config, readConfig } from "../config.ts";
import { exitCodes, explainFileError, StartFailure } from "../errors/startFailure.ts";
import type { ProcessKind } from "../health/states.ts";
import { misspeltSettings } from "../misspeltSettings.ts";
import { createLog } from "../observability/log.ts";
import { startTraces, stopTraces } from "../observability/traces.ts";
import { prepareDataDir } from "../store/write/dataDir.ts";

/** What a process of the service gets to run with. */
export type RunningService = {
  readonly config: Config;
  readonly log: Logger;
  /** Aborts when the process is to end: on SIGTERM, SIGINT, the end of its parent process, or `fail`. */
  readonly stop: AbortSignal;
  /** Ends the process because it cannot go on. Without effect once it is ending. */
  readonly fail: (error: unknown) => void;
};

export type ServiceOptions = {
  /** Throws StartFailure when the settings are wrong. */
  readonly readSettings?: () => Config;
  /** A probe keeps nothing in DATA_DIR. */
  readonly usesDataDir?: boolean;
  /** In each line of its log. */
  readonly logFields?: Readonly<Record<string, string>>;
  /** Called before anything runs. */
  readonly prepare?: (log: Logger) => void;
  /** For work that may never end by itself: how long a stop may take before the process exits with 1. */
  readonly maxStopMs?: (config: Config) => number;
};

/**
 * The frame of every process of the service. Runs `run` until it resolves, and ends the process: with 0 after a requested stop, with 1 when
 * it cannot continue, so that its supervisor restarts it, and with 2 when its operator has to change something first.
 */
export async function runService(
  kind: ProcessKind,
  { readSettings = readConfig, usesDataDir = true, logFields = {}, prepare, maxStopMs }: ServiceOptions,
  run: (service: RunningService) => Promise<void>,
): Promise<never> {
  const config = orExit(() => {
    const settings = readSettings();
    if (usesDataDir) prepareDataDir(settings.stack.dataDir);
    return settings;
  });
  const log = createLog(config.log, kind).child(logFields);
  const title = kind === "api" ? "API" : kind;
  for (const warning of misspeltSettings()) log.warn(warning);
  prepare?.(log);
  const stop = new AbortController();
  const stopBecause = (reason: string): void => {
    if (stop.signal.aborted) return;
    log.info({ reason }, `the ${title} is stopping`);
    stop.abort();
    if (maxStopMs !== undefined) setTimeout(() => process.exit(exitCodes.failed), maxStopMs(config)).unref();
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => stopBecause(signal));
  // The supervisor is gone: nothing else would stop this process.
  if (process.send) process.on("disconnect", () => stopBecause("the parent process is gone"));
  const fail = (error: unknown): void => {
    if (stop.signal.aborted) return;
    const failure = explainFileError(error, config.stack.dataDir);
    // The operator can remove the reason in one sentence.
    if (failure instanceof StartFailure) console.error(failure.message);
    else log.fatal({ err: failure }, `the ${title} stopped`);
    process.exitCode = failure instanceof StartFailure ? failure.exitCode : exitCodes.failed;
    stop.abort();
  };
  try {
    await startTraces(config, kind, log);
    await run({ config, log, stop: stop.signal, fail });
    await stopTraces();
  } catch (error) {
    fail(error);
  }
  process.exit();
}

/** Ends the process with the reason if its operator has to change something first. */
export function orExit<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof StartFailure)) throw error;
    console.error(error.message);
    process.exit(error.exitCode);
  }
}
