import { SdkComponent } from "@temporalio/common";
import type { LogLevel, Logger as TemporalLogger } from "@temporalio/worker";
import type { Logger } from "pino";

type Meta = Readonly<Record<string | symbol, unknown>>;

/** Logged for probes, which have no workflows on purpose. */
const probeWarning = "No workflows registered";

/** While Temporal is unavailable the SDK's core warns about each poll it retries, dozens a second. */
const repeatedAfterMs = 10_000;

let warnings = 0;

/** Warnings that the core of Temporal's SDK has logged in this process, echoes included. */
export function sdkWarnings(): number {
  return warnings;
}

/** Routes the logs of Temporal's SDK, workflows and activities to our log. */
export function temporalLogger(log: Logger): TemporalLogger {
  const lastMsOf = new Map<string, number>();
  const isRepeated = (message: string): boolean => {
    // The messages differ only in their numbers.
    const kind = message.replaceAll(/\d+/g, "");
    const nowMs = performance.now();
    const lastMs = lastMsOf.get(kind);
    if (lastMs !== undefined && nowMs - lastMs < repeatedAfterMs) return true;
    lastMsOf.set(kind, nowMs);
    return false;
  };
  const at = (level: LogLevel) => (message: string, meta?: Meta) => {
    const component = meta?.["sdkComponent"];
    // At INFO the SDK logs each state of the worker and the modules of its bundle, which is only useful for debugging.
    const isChatter = component === SdkComponent.worker && (level === "INFO" || message.startsWith(probeWarning));
    if (component === SdkComponent.core && level === "WARN") warnings += 1;
    const isEcho = component === SdkComponent.core && isRepeated(`${level} ${message}`);
    log[isChatter || isEcho ? "debug" : pinoLevels[level]](meta ?? {}, message);
  };
  return {
    log: (level, message, meta) => at(level)(message, meta),
    trace: at("TRACE"),
    debug: at("DEBUG"),
    info: at("INFO"),
    warn: at("WARN"),
    error: at("ERROR"),
  };
}

const pinoLevels = { TRACE: "trace", DEBUG: "debug", INFO: "info", WARN: "warn", ERROR: "error" } as const;
