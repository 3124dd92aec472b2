import { existsSync } from "node:fs";
import { join } from "node:path";
import { StackError } from "../error.ts";
import { findProgram } from "../programs.ts";
import { runTool } from "../tool.ts";
import { type Install, installedAt, installOnce, type Provisioning } from "./install.ts";

export type GoProgram = {
  /** The program's file name. */
  readonly name: string;
  /** Its name within a sentence. */
  readonly label: string;
  /** Import path of its main package. */
  readonly package: string;
  /** Exact version, such as "v1.5.1". */
  readonly version: string;
  /** What a user without Go can do. */
  readonly otherWays: string;
};

/**
 * A program built with `go install`: from the cache, or built now. Rejects with a StackError if Go is
 * needed and missing.
 */
export function planGoProgram(provisioning: Provisioning, program: GoProgram): Install {
  const { config, signal } = provisioning;
  const name = `${program.name}-${program.version}`;
  const go = findProgram("go", config.stack.path);
  if (!go && !existsSync(installedAt(config, name)))
    throw new StackError(`There is no go on PATH to build ${program.label} with. Install Go, ${program.otherWays}.`);

  return async () => {
    const label = `Building ${program.label} ${program.version} with Go (once, takes minutes)`;
    const directory = await installOnce(provisioning, name, label, async (part, note) => {
      const env = { ...config.stack.environment, GOBIN: part };
      const target = `${program.package}@${program.version}`;
      const built = await runTool(go ?? "go", ["install", "-v", target], { env, cwd: part, signal, onLine: note });
      if (built.code !== 0)
        throw new StackError(
          `go install ${target} failed:\n${built.output}\nCheck Go and its network settings, ${program.otherWays}.`,
        );
      const tried = await runTool(join(part, program.name), ["--version"], { env, cwd: part, signal });
      if (tried.code !== 0)
        throw new StackError(
          `Go built ${program.label}, but it does not run:\n${tried.output}\nInstall another Go, ${program.otherWays}.`,
        );
    });
    return join(directory, program.name);
  };
}
