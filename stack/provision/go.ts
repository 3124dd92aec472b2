import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { exitCodes } from "../../src/errors/startFailure.ts";
import { StackError } from "../error.ts";
import { findProgram } from "../programs.ts";
import { runTool } from "../tool.ts";
import { type Install, installedAt, installOnce, type Provisioning } from "./install.ts";

export type GoProgram = {
  /** Its name in the cache; also its file name, unless `file` is given. */
  readonly name: string;
  /** The file that Go writes: the last part of `package`. */
  readonly file?: string;
  /** Arguments with which it does nothing and exits with 0; `--version` unless given. */
  readonly check?: readonly string[];
  /** Its name within a sentence. */
  readonly label: string;
  /** Import path of its main package. */
  readonly package: string;
  /** Exact version, such as "v1.5.1". */
  readonly version: string;
  /** Processor time of a build with empty caches. */
  readonly buildSeconds?: number;
  /** What a user without Go can do. */
  readonly otherWays: string;
};

/** A program built with `go install`: from the cache, or built now. Rejects with a StackError if Go is needed and missing. */
export function planGoProgram(provisioning: Provisioning, program: GoProgram): Install {
  const { config, signal } = provisioning;
  const name = `${program.name}-${program.version}`;
  const file = program.file ?? program.name;
  const go = findProgram("go", config.stack.path);
  if (!go && !existsSync(installedAt(config, name)))
    throw new StackError(`There is no go on PATH to build ${program.label} with. Install Go, ${program.otherWays}.`);

  return async () => {
    const takes = buildDuration(program.buildSeconds, availableParallelism());
    const label = `Building ${program.label} ${program.version} with Go (once, takes ${takes})`;
    const directory = await installOnce(provisioning, name, label, async (part, note) => {
      const env = { ...config.stack.environment, GOBIN: part };
      const target = `${program.package}@${program.version}`;
      const command = [...behindOthers(config.stack.path), go ?? "go", "install", "-v", target] as const;
      const built = await runTool(command[0], command.slice(1), { env, cwd: part, signal, onLine: note });
      if (built.code !== 0)
        throw new StackError(
          `go install ${target} failed:\n${built.output}\nCheck Go and its network settings, ${program.otherWays}.`,
          exitCodes.failed,
        );
      const tried = await runTool(join(part, file), program.check ?? ["--version"], { env, cwd: part, signal });
      if (tried.code !== 0)
        throw new StackError(
          `Go built ${program.label}, but it does not run:\n${tried.output}\nInstall another Go, ${program.otherWays}.`,
        );
    });
    return join(directory, file);
  };
}

/** The duration of a build for people, in minutes; it uses all cores except in its last step. */
export function buildDuration(cpuSeconds: number | undefined, cores: number): string {
  if (cpuSeconds === undefined) return "minutes";
  const minutes = Math.ceil(cpuSeconds / 60 / cores);
  return minutes === 1 ? "about a minute" : `about ${minutes} minutes`;
}

/** nice(1), so that a build that takes all cores for minutes does not delay servers that start meanwhile. */
function behindOthers(path: string): readonly string[] {
  const nice = findProgram("nice", path);
  return nice === undefined ? [] : [nice, "-n", "10"];
}
