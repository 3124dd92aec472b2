import { SdkComponent } from "@temporalio/common";
import type { LogLevel, Logger as TemporalLogger } from "@temporalio/worker";
import type { Logger } from "pino";

type Meta = Readonly<Record<string | symbol, unknown>>;

/** Lets Temporal's SDK, workflows and activities log through our log. */
export function temporalLogger(log: Logger): TemporalLogger {
  const at = (level: LogLevel) => (message: string, meta?: Meta) => {
    // At INFO the SDK tells each state of the worker and lists the modules of its bundle: news only to those who debug it.
    const isChatter = level === "INFO" && meta?.["sdkComponent"] === SdkComponent.worker;
    log[isChatter ? "debug" : pinoLevels[level]](meta ?? {}, message);
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
