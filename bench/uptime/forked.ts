import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** Starts a script of this folder. Its output goes to standard error, so that standard output stays JSON. */
export function startScript(name: string, args: readonly string[] = []): ChildProcess {
  return fork(fileURLToPath(new URL(name, import.meta.url)), args, {
    execArgv: [],
    stdio: ["ignore", process.stderr, process.stderr, "ipc"],
  });
}

/** The next message of a script; rejects when it ends before. The caller knows what the script sends. */
export async function messageOf<T>(child: ChildProcess): Promise<T> {
  const ended = new AbortController();
  const exit = once(child, "exit", { signal: ended.signal }).then(([code]) => {
    throw new Error(`The script ended with ${code} before it said anything`);
  });
  try {
    const [message] = await Promise.race([once(child, "message", { signal: ended.signal }), exit]);
    return message;
  } finally {
    ended.abort();
    exit.catch(() => undefined);
  }
}

export async function endScript(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}
