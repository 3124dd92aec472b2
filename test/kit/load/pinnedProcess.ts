import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";

export type PinnedOptions = {
  /** The only core that it runs on; any unless given. */
  readonly core?: number | undefined;
  readonly args?: readonly string[];
  readonly nodeFlags?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
};

/** Forks a script. What it prints goes to standard error, so that standard output stays JSON. */
export function forkPinned(file: string, { core, args = [], nodeFlags = [], env }: PinnedOptions): ChildProcess {
  const pinned = core === undefined ? {} : { execPath: "taskset" };
  return fork(file, args, {
    ...pinned,
    execArgv: [...(core === undefined ? [] : ["-c", String(core), process.execPath]), ...nodeFlags],
    stdio: ["ignore", process.stderr, process.stderr, "ipc"],
    env: env ?? process.env,
  });
}

/** The next message of a process; rejects when it ends before. The caller knows what the script sends. */
export async function messageOf<T>(child: ChildProcess): Promise<T> {
  const ended = new AbortController();
  const exit = once(child, "exit", { signal: ended.signal }).then(([code]) => {
    throw new Error(`${child.spawnargs.at(-1)} ended with ${code} before it said anything`);
  });
  try {
    const [message] = await Promise.race([once(child, "message", { signal: ended.signal }), exit]);
    return message;
  } finally {
    ended.abort();
    exit.catch(() => undefined);
  }
}

/** The port of a server that sends it once it listens, as API processes do. */
export async function portOf(child: ChildProcess): Promise<number> {
  return (await messageOf<{ ready: { port: number } }>(child)).ready.port;
}

export async function endProcess(child: ChildProcess, signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill(signal);
  await ended;
}
