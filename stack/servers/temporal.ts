import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../../src/config.ts";
import type { ServerSpec } from "../supervisor.ts";
import { checkNamespace } from "./temporalNamespace.ts";

export type TemporalPorts = {
  readonly grpc: number;
  readonly http: number;
  readonly ui: number;
  readonly metrics: number;
};

const attemptTimeoutMs = 2_000;

/** Temporal's development server on 127.0.0.1 with its data in DATA_DIR/temporal. */
export async function temporalServer(config: Config, program: string, ports: TemporalPorts): Promise<ServerSpec> {
  const home = join(config.stack.dataDir, "temporal");
  await mkdir(home, { recursive: true });
  return {
    label: "Temporal",
    command: program,
    args: [
      "server",
      "start-dev",
      "--ip",
      "127.0.0.1",
      "--port",
      String(ports.grpc),
      "--http-port",
      String(ports.http),
      "--ui-port",
      String(ports.ui),
      "--metrics-port",
      String(ports.metrics),
      "--namespace",
      config.temporal.namespace,
      "--db-filename",
      join(home, "temporal.db"),
      "--sqlite-pragma",
      "journal_mode=wal",
      "--sqlite-pragma",
      "synchronous=normal",
      "--log-level",
      "warn",
    ],
    env: { ...config.stack.temporalMemory, ...config.stack.environment },
    cwd: home,
    logFile: join(config.stack.dataDir, "logs", "temporal.log"),
    stopSignal: "SIGTERM",
    stopTimeoutMs: 15_000,
    readyTimeoutMs: config.stack.readyTimeoutMs,
    ports: Object.values(ports),
    ready: () => checkNamespace(ports.http, config.temporal.namespace),
  };
}

/** Rejects if the server does not answer or does not know the namespace. */
export async function checkTemporal(address: string, namespace: string): Promise<void> {
  const { Connection } = await import("@temporalio/client");
  const connection = await Connection.connect({ address, connectTimeout: attemptTimeoutMs });
  try {
    await connection.withDeadline(Date.now() + attemptTimeoutMs, () =>
      connection.workflowService.describeNamespace({ namespace }),
    );
  } finally {
    await connection.close();
  }
}
