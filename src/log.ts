import { type Logger, pino } from "pino";
import type { Config } from "./config.ts";

/** Structured log lines on standard output. Nothing that is logged holds an address of a person, a key or an event. */
export function createLog(settings: Config["log"], process: string): Logger {
  return pino({ level: settings.level, base: { process }, timestamp: pino.stdTimeFunctions.isoTime });
}
