import { showFailure } from "./commandOf.ts";
import { StackError } from "./error.ts";
import type { Log } from "./progress.ts";

const parentCheckMs = 1_000;
/** Ctrl-C reaches us from the terminal, and again from npm. Within this time they count as one. */
const sameSignalMs = 1_000;

export type Stoppable = { stop(): Promise<void> };

/**
 * Runs a command that starts servers and keeps them running until Ctrl-C. `whenRunning` runs after the start; it can be
 * interrupted by a stop.
 *
 * run.sh passes the id of its parent process, such as npm. When that one ends, everything here ends too.
 */
export async function runUntilStopped<T extends Stoppable>(
  parent: number,
  log: Log,
  start: (signal: AbortSignal) => Promise<T>,
  whenRunning?: (running: T) => Promise<void>,
): Promise<void> {
  const giveUp = new AbortController();
  let running: T | undefined;
  let stoppingSince: number | undefined;

  function stop(reason: string): void {
    const now = performance.now();
    if (stoppingSince !== undefined) {
      if (now - stoppingSince < sameSignalMs) return;
      log("stopping at once");
      process.exit(130);
    }
    stoppingSince = now;
    log(`${reason}, stopping (once more to stop at once)`);
    giveUp.abort(new StackError("The start was given up."));
    running?.stop().then(
      () => {
        log("stopped");
        process.exit(0);
      },
      (error: unknown) => fail(error),
    );
  }

  function fail(error: unknown): never {
    if (stoppingSince !== undefined && running === undefined) {
      log("stopped");
      process.exit(0);
    }
    process.exit(showFailure(error));
  }

  process.on("SIGINT", () => stop("Ctrl-C"));
  process.on("SIGTERM", () => stop("SIGTERM"));
  process.on("SIGHUP", () => stop("SIGHUP"));
  // A closed terminal or a full disk for our output must not prevent running and stopping the servers.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
  if (parent)
    setInterval(() => {
      if (process.ppid !== parent && stoppingSince === undefined) stop("The process that started this is gone");
    }, parentCheckMs).unref();
  try {
    running = await start(giveUp.signal);
    await whenRunning?.(running);
  } catch (error) {
    fail(error);
  }
}
