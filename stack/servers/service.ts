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
  /** Whether a child that is listened to has said that it is ready. */
  const isReady = new WeakMap<ChildProcess, boolean>();
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
      if (!isReady.has(child)) {
        isReady.set(child, false);
        child.on("message", (message) => {
          if (typeof message === "object" && message !== null && "ready" in message) isReady.set(child, true);
        });
      }
      if (!isReady.get(child)) throw new Error(`${service.label} has not reported that it is ready`);
    },
  };
}
