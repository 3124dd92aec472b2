import { join } from "node:path";
import type { Config } from "../../src/config.ts";
import { StackError } from "../error.ts";
import { findProgram } from "../programs.ts";
import type { Log } from "../progress.ts";
import { runTool } from "../tool.ts";

/** QuestDB 9 needs it. */
const oldestJava = 17;

/**
 * A java program of version 17 or later, from JAVA_HOME or PATH. Logs a line if it is not that of JAVA_HOME. Rejects with a
 * StackError if there is none.
 */
export async function findJava(config: Config, signal: AbortSignal, log?: Log): Promise<string> {
  const { javaHome, path, environment, cacheDir } = config.stack;
  const found: string[] = [];
  const ofHome = javaHome && findProgram("java", join(javaHome, "bin"));
  for (const java of [ofHome, findProgram("java", path)]) {
    if (!java) continue;
    const { output } = await runTool(java, ["-version"], { env: environment, cwd: cacheDir, signal });
    const version = javaMajorVersion(output);
    if (version !== undefined && version >= oldestJava) {
      if (javaHome && java !== ofHome)
        log?.(`JAVA_HOME (${javaHome}) has no Java ${oldestJava} or later, so ${java} is used`);
      return java;
    }
    found.push(`${java} is version ${version ?? "unknown"}`);
  }
  throw new StackError(
    `QuestDB needs Java ${oldestJava} or later; ${found.join(", ") || "no java is in JAVA_HOME or on PATH"}. ` +
      "Install a JRE (on Debian and Ubuntu: openjdk-17-jre-headless), or set QUESTDB_HTTP and QUESTDB_PG to a running QuestDB.",
  );
}

/** The feature release in the output of `java -version`: 8 of "1.8.0_392", 17 of "17.0.15", 21 of "21". */
export function javaMajorVersion(output: string): number | undefined {
  const [, first, second] = /version "(\d+)(?:\.(\d+))?/.exec(output) ?? [];
  if (first === undefined) return undefined;
  return first === "1" && second !== undefined ? Number(second) : Number(first);
}
