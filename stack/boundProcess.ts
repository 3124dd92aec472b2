import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from "node:child_process";
import type { Env } from "../src/config.ts";
import { StackError } from "./error.ts";
import { findProgram } from "./programs.ts";
import type { Log } from "./progress.ts";

export type BoundOptions = {
  readonly env: Env;
  readonly cwd: string;
  readonly stdio: SpawnOptions["stdio"];
  /** The signal that the child gets when this process is killed. SIGQUIT lets PostgreSQL end its own children. */
  readonly deathSignal?: "SIGKILL" | "SIGQUIT";
  /** Further options of setpriv(1), such as another user. They need setpriv. */
  readonly privileges?: readonly string[];
};

const living = new Map<ChildProcess, NodeJS.Signals>();

process.on("exit", () => {
  for (const [child, signal] of living) signalGroup(child, signal);
});

/**
 * Starts a child that never outlives this process: `process.on("exit")` ends it in every orderly end, and the kernel
 * (PR_SET_PDEATHSIG, set by setpriv) when this process is killed. Call it on the main thread only, since the kernel watches the
 * thread that forked.
 *
 * The child leads its own session, so that Ctrl-C at the terminal only reaches us and we control the order of a stop.
 */
export function spawnBound(command: string, args: readonly string[], options: BoundOptions): ChildProcess {
  const { deathSignal = "SIGKILL", privileges = [] } = options;
  const setpriv = findSetpriv(options.env["PATH"] ?? "");
  if (!setpriv && privileges.length > 0)
    throw new StackError(
      "PostgreSQL does not run as root, and setpriv, which changes the user, is missing. " +
        "Install util-linux, start as another user, or set DATABASE_URL.",
    );
  const [program, ...programArgs] = setpriv
    ? [setpriv, ...privileges, "--pdeathsig", deathSignal.slice(3), "--", command, ...args]
    : [command, ...args];
  const child = spawn(program ?? command, programArgs, {
    env: options.env,
    cwd: options.cwd,
    stdio: options.stdio,
    detached: true,
  });
  living.set(child, deathSignal);
  child.once("exit", () => living.delete(child));
  child.once("error", () => living.delete(child));
  return child;
}

/** Sends a signal to a child and everything it started in its session's first group. */
export function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // It has ended meanwhile, as wanted.
  }
}

let setprivFound: string | false | undefined;

/** setpriv of util-linux; other implementations lack --pdeathsig. */
function findSetpriv(path: string): string | undefined {
  if (setprivFound === undefined) {
    const candidate = findProgram("setpriv", `${path}:/usr/bin:/bin`);
    const works = candidate && spawnSync(candidate, ["--pdeathsig", "KILL", "--", candidate, "--version"]).status === 0;
    setprivFound = works ? candidate : false;
  }
  return setprivFound || undefined;
}

/** Says when children would not die if this process is killed. */
export function warnWithoutSetpriv(path: string, log: Log): void {
  if (findSetpriv(path) === undefined)
    log("setpriv is missing, so kill -9 would leave servers behind. Install util-linux to change that.");
}
