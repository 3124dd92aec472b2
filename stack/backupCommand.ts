import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { Env } from "../src/config.ts";
import { StackError } from "./error.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Runs src/main/commands/backup.ts with the settings of this process and `settings`. Resolves to its exit code. */
export async function runBackupCommand(args: readonly string[], settings: Env): Promise<number> {
  const env = { ...process.env, ...settings };
  const child = spawn(process.execPath, ["src/main/commands/backup.ts", ...args], { cwd: root, stdio: "inherit", env });
  const pass = (signal: NodeJS.Signals) => child.kill(signal);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, pass);
  return await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => resolve(code ?? 1));
  });
}

/**
 * The arguments of this process, each `--name value`, and flags without a value. Throws a StackError with the usage when the
 * first of `names` is missing, or for an unknown argument.
 */
export function readArguments<Name extends string, Flag extends string = never>(
  usage: string,
  names: readonly Name[],
  flags: readonly Flag[] = [],
): Partial<Record<Name, string> & Record<Flag, boolean>> {
  const options = Object.fromEntries([
    ...names.map((name) => [name, { type: "string" as const }]),
    ...flags.map((flag) => [flag, { type: "boolean" as const }]),
  ]);
  let reason = "";
  try {
    const { values } = parseArgs({ options });
    const [first] = names;
    if (first !== undefined && Object.hasOwn(values, first))
      return values as Partial<Record<Name, string> & Record<Flag, boolean>>;
  } catch (error) {
    if (error instanceof Error) reason = `${error.message}\n`;
  }
  throw new StackError(`${reason}Usage: ${usage}`);
}

export type Arguments = Readonly<Record<string, string | boolean | undefined>>;

/** The same arguments for another program; missing ones are left out. */
export function argumentsOf(values: Arguments): string[] {
  return Object.entries(values).flatMap(([name, value]) => {
    if (!value) return [];
    return value === true ? [`--${name}`] : [`--${name}`, value];
  });
}
