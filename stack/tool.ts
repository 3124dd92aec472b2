import { createInterface } from "node:readline";
import type { Env } from "../src/config.ts";
import { signalGroup, spawnBound } from "./boundProcess.ts";

export type ToolOptions = {
  readonly env: Env;
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** Called with each line of output while the tool runs. */
  readonly onLine?: (line: string) => void;
  readonly privileges?: readonly string[];
};

export type ToolResult = {
  /** The exit code; null when a signal ended it or it could not be started. */
  readonly code: number | null;
  /** The last lines of standard output and standard error together. */
  readonly output: string;
};

const maxOutputLines = 200;

/** Runs a program to its end. Never throws for a failure of the program; an abort kills it and everything it started. */
export async function runTool(command: string, args: readonly string[], options: ToolOptions): Promise<ToolResult> {
  options.signal.throwIfAborted();
  const child = spawnBound(command, args, {
    env: options.env,
    cwd: options.cwd,
    stdio: ["ignore", "pipe", "pipe"],
    privileges: options.privileges,
  });
  const lines: string[] = [];
  const abort = () => signalGroup(child, "SIGKILL");
  options.signal.addEventListener("abort", abort);
  for (const input of [child.stdout, child.stderr])
    if (input)
      createInterface({ input }).on("line", (line) => {
        lines.push(line);
        if (lines.length > maxOutputLines) lines.shift();
        if (line.trim()) options.onLine?.(line);
      });
  try {
    const code = await new Promise<number | null>((resolve) => {
      child.once("error", (error) => {
        lines.push(error.message);
        resolve(null);
      });
      child.once("close", (exitCode) => resolve(exitCode));
    });
    options.signal.throwIfAborted();
    return { code, output: lines.join("\n") };
  } finally {
    options.signal.removeEventListener("abort", abort);
  }
}
