import type { ChildProcess } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Env } from "../src/config.ts";
import { exitCodes } from "../src/errors/startFailure.ts";
import { signalGroup, spawnBound } from "./boundProcess.ts";
import { StackError } from "./error.ts";
import { keepFormerLog } from "./formerLogs.ts";
import { pollUntil } from "./poll.ts";
import { listensOn } from "./ports.ts";
import type { Log } from "./progress.ts";

/** A server to run: how to start it, how to check that it answers, how to stop it. */
export type ServerSpec = {
  /** Its name in messages. */
  readonly label: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Env;
  readonly cwd: string;
  /** Standard output and error go here. Logs of earlier runs are kept, see stack/formerLogs.ts. */
  readonly logFile: string;
  /** Whether it reports readiness with an IPC message instead of being polled, see `ready`. */
  readonly ipc?: boolean;
  readonly privileges?: readonly string[];
  readonly deathSignal?: "SIGKILL" | "SIGQUIT";
  readonly stopSignal: NodeJS.Signals;
  readonly stopTimeoutMs: number;
  readonly readyTimeoutMs: number;
  /** Ports of 127.0.0.1 that it must listen on itself before `ready` is called. */
  readonly ports: readonly number[];
  /** Called repeatedly until it no longer throws. */
  readonly ready: (child: ChildProcess) => Promise<void>;
  /**
   * Watches a server that answers until `ended` aborts. Resolves with the end of a sentence about it if it answers but does not
   * work: then it is killed (kill -9) and started again.
   */
  readonly watch?: (ended: AbortSignal) => Promise<string>;
};

/** A server that is kept running. */
export type Supervised = {
  /** The ids of the processes that run now, or ran last; several for a part of several servers, the main one first. */
  processIds(): readonly number[];
  /** Stops it with its own signal; kills it if that takes too long. */
  stop(): Promise<void>;
  /** Kills it with kill -9. It stays down until `restart`. */
  kill(): Promise<void>;
  /** Starts it again after `kill` or `stop`; resolves when it answers. */
  restart(): Promise<void>;
};

type Run = {
  readonly child: ChildProcess;
  /** Resolves to how it ended: "exit code 1", "signal SIGKILL". */
  readonly ended: Promise<string>;
};

const logTailLines = 25;
const longestRestartDelayMs = 10_000;
/** A server that ran this long is able to start; its end does not count as a failed start. */
const settledMs = 60_000;

/** The wait before start number `failures` + 1 of a server that ended by itself. */
export function restartDelayMs(failures: number): number {
  return Math.min(longestRestartDelayMs, 250 * 2 ** failures);
}

/**
 * Starts a server, resolves when it answers, and restarts it whenever it ends by itself.
 *
 * Rejects with a StackError that shows the end of its log if it does not come up the first time.
 */
export async function supervise(spec: ServerSpec, log: Log, signal: AbortSignal): Promise<Supervised> {
  let wanted = true;
  let current: Run | undefined;
  let keeping: Promise<void> = Promise.resolve();
  let giveUpWaiting = new AbortController();

  async function launch(): Promise<Run> {
    const run = await spawnServer(spec);
    current = run;
    const over = new AbortController();
    let how: string | undefined;
    const noteEnd = run.ended.then((text) => {
      how = text;
      over.abort();
    });
    try {
      const check = async () => {
        const missing = spec.ports.find((port) => !listensOn(run.child.pid ?? 0, port));
        if (missing !== undefined) throw new Error(`${spec.label} does not listen on port ${missing}`);
        await spec.ready(run.child);
      };
      await pollUntil(check, spec.readyTimeoutMs, AbortSignal.any([signal, over.signal]));
      void watchOver(run, over.signal);
      return run;
    } catch {
      signalGroup(run.child, "SIGKILL");
      const reason = how === undefined ? lateReason(spec) : `ended with ${how}`;
      await noteEnd;
      signal.throwIfAborted();
      // Our own processes say in a sentence what the operator has to change.
      if (spec.ipc === true && how === `exit code ${exitCodes.needsOperator}`)
        throw new StackError(`${spec.label} does not start. ${await lastSentence(spec.logFile)}`);
      throw new StackError(
        `${spec.label} ${reason}. The end of ${spec.logFile}:\n${await tail(spec.logFile)}`,
        exitCodes.failed,
      );
    }
  }

  /** Never rejects: a watch may fail because the server has ended. */
  async function watchOver({ child }: Run, ended: AbortSignal): Promise<void> {
    const reason = await spec.watch?.(ended).catch(() => undefined);
    if (reason === undefined || ended.aborted) return;
    log(`${spec.label} ${reason}: ending it, so that it starts again`);
    signalGroup(child, "SIGKILL");
  }

  async function keep(first: Run): Promise<void> {
    let run = first;
    let failures = 0;
    for (;;) {
      const startedAt = performance.now();
      const how = await run.ended;
      if (!wanted) return;
      if (performance.now() - startedAt > settledMs) failures = 0;
      log(`${spec.label} ended with ${how}, starting it again (its log: ${spec.logFile})`);
      for (let back = false; !back; ) {
        await sleep(restartDelayMs(failures++), undefined, { signal: giveUpWaiting.signal }).catch(() => undefined);
        if (!wanted) return;
        try {
          run = await launch();
          back = true;
          log(`${spec.label} answers again`);
        } catch (error) {
          if (!wanted) return;
          log(error instanceof Error ? error.message : String(error));
        }
      }
    }
  }

  async function end(how: NodeJS.Signals): Promise<void> {
    wanted = false;
    giveUpWaiting.abort();
    const run = current;
    if (run) {
      if (how === "SIGKILL") signalGroup(run.child, how);
      else run.child.kill(how);
      const killLater = setTimeout(() => signalGroup(run.child, "SIGKILL"), spec.stopTimeoutMs);
      await run.ended;
      clearTimeout(killLater);
    }
    await keeping;
  }

  async function start(): Promise<void> {
    wanted = true;
    giveUpWaiting = new AbortController();
    keeping = keep(await launch());
  }

  await start();
  return {
    processIds: () => (current?.child.pid === undefined ? [] : [current.child.pid]),
    stop: () => end(spec.stopSignal),
    kill: () => end("SIGKILL"),
    restart: async () => {
      await end(spec.stopSignal);
      await start();
    },
  };
}

async function spawnServer(spec: ServerSpec): Promise<Run> {
  await mkdir(dirname(spec.logFile), { recursive: true, mode: 0o700 });
  await keepFormerLog(spec.logFile);
  const file = openSync(spec.logFile, "a", 0o600);
  try {
    const { env, cwd, privileges, deathSignal } = spec;
    const stdio: ("ignore" | "ipc" | number)[] = spec.ipc ? ["ignore", file, file, "ipc"] : ["ignore", file, file];
    const child = spawnBound(spec.command, spec.args, { env, cwd, privileges, deathSignal, stdio });
    const ended = new Promise<string>((resolve) => {
      child.once("exit", (code, signal) => resolve(signal ? `signal ${signal}` : `exit code ${code}`));
      child.once("error", (error) => {
        if (child.pid === undefined) resolve(error.message);
      });
    });
    return { child, ended };
  } finally {
    closeSync(file);
  }
}

function lateReason({ readyTimeoutMs }: ServerSpec): string {
  return `did not answer within ${readyTimeoutMs / 1_000} s; on a slow machine set STACK_READY_TIMEOUT_MS to more`;
}

/** The last thing that a process printed besides its log. */
async function lastSentence(file: string): Promise<string> {
  const text = await readFile(file, "utf8").catch(() => "");
  const lines = text.trimEnd().split("\n");
  return lines.slice(lines.findLastIndex((line) => line.startsWith("{")) + 1).join("\n");
}

async function tail(file: string): Promise<string> {
  const text = await readFile(file, "utf8").catch(() => "");
  return text.trimEnd().split("\n").slice(-logTailLines).map(shownLine).join("\n") || "(it is empty)";
}

/** A service's log line for people: what happened and why, without stack trace. Other lines unchanged. */
export function shownLine(line: string): string {
  try {
    const { msg, err, reason }: { msg?: string; err?: { message?: string }; reason?: string } = JSON.parse(line);
    if (msg === undefined) return line;
    return [msg, err?.message ?? reason].filter((part) => part !== undefined).join(": ");
  } catch {
    return line;
  }
}
