import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import type { Config, Env } from "../../src/config.ts";
import type { ServerSpec } from "../supervisor.ts";

/** One of our own processes: a TypeScript file that sends `{"ready": {...}}` to its parent once it works. */
export type Service = {
  readonly name: string;
  /** Its name in messages. */
  readonly label: string;
  /** Path of the file. */
  readonly script: string;
  readonly args?: readonly string[];
  readonly nodeFlags: readonly string[];
};

export function serviceServer(config: Config, service: Service, root: string, env: Env): ServerSpec {
  const ready = new WeakSet<ChildProcess>();
  const watched = new WeakSet<ChildProcess>();
  return {
    label: service.label,
    command: process.execPath,
    args: [...service.nodeFlags, service.script, ...(service.args ?? [])],
    env: { ...config.stack.nativeMemory, ...env },
    cwd: root,
    logFile: join(config.stack.dataDir, "logs", `${service.name}.log`),
    ipc: true,
    stopSignal: "SIGTERM",
    // The service's own limit is shorter; this one is for a service that hangs.
    stopTimeoutMs: config.server.shutdownTimeoutMs + 10_000,
    readyTimeoutMs: config.stack.readyTimeoutMs,
    ports: [],
    ready: async (child) => {
      if (!watched.has(child)) {
        watched.add(child);
        child.on("message", (message) => {
          if (typeof message === "object" && message !== null && "ready" in message) ready.add(child);
        });
      }
      if (!ready.has(child)) throw new Error(`${service.label} has not reported that it is ready`);
    },
  };
}
