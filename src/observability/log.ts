import { type Logger, pino } from "pino";
import type { Config } from "../config.ts";
import { LogOutput } from "./logOutput.ts";

const standardOutput = new LogOutput(1);

/** Structured log lines on standard output. They never contain a person's address, a key or an event. */
export function createLog(settings: Config["log"], process: string): Logger {
  surviveBrokenOutput();
  const options = { level: settings.level, base: { process }, timestamp: pino.stdTimeFunctions.isoTime };
  return pino(options, standardOutput);
}

/** Log lines of this process that could not be written. */
export function lostLogLines(): number {
  return standardOutput.lostLines;
}

/**
 * Node and libraries print through these streams. Without a listener, a full disk or a closed pipe would end the
 * process.
 */
function surviveBrokenOutput(): void {
  for (const stream of [process.stdout, process.stderr])
    if (!stream.listeners("error").includes(ignore)) stream.on("error", ignore);
}

function ignore(): void {}
