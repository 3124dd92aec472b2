import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../../src/config.ts";
import type { ServerSpec } from "../supervisor.ts";
import { patientSchedules, temporalLogLevel } from "./patientSchedules.ts";
import { doorSettings, type TemporalDoor } from "./temporalDoor.ts";
import { whenInterrupted } from "./temporalInterrupted.ts";
import { checkNamespace } from "./temporalNamespace.ts";

export type TemporalPorts = {
  readonly grpc: number;
  readonly http: number;
  readonly ui: number;
  readonly metrics: number;
};

const attemptTimeoutMs = 2_000;

/** Temporal's development server on 127.0.0.1 with its data in DATA_DIR/temporal. */
export async function temporalServer(
  config: Config,
  program: string,
  ports: TemporalPorts,
  door: TemporalDoor,
): Promise<ServerSpec> {
  const home = join(config.stack.dataDir, "temporal");
  await mkdir(home, { recursive: true, mode: 0o700 });
  const http = { port: ports.http, host: door.apiHost };
  const settings = Object.entries(doorSettings(door));
  return {
    label: "Temporal",
    command: program,
    args: [
      ["server", "start-dev"],
      ["--ip", "127.0.0.1"],
      ["--port", String(ports.grpc)],
      ["--http-port", String(ports.http)],
      ["--ui-ip", door.uiAddress],
      ["--ui-port", String(ports.ui)],
      ["--metrics-port", String(ports.metrics)],
      ["--namespace", config.temporal.namespace],
      ["--db-filename", join(home, "temporal.db")],
      ["--sqlite-pragma", "journal_mode=wal"],
      ["--sqlite-pragma", "synchronous=normal"],
      ["--log-level", temporalLogLevel],
      ...settings.map(([name, value]) => ["--dynamic-config-value", `${name}=${JSON.stringify(value)}`]),
    ].flat(),
    env: { ...config.stack.temporalMemory, ...patientSchedules, ...config.stack.environment },
    cwd: home,
    logFile: join(config.stack.dataDir, "logs", "temporal.log"),
    stopSignal: "SIGTERM",
    stopTimeoutMs: 15_000,
    readyTimeoutMs: config.stack.readyTimeoutMs,
    ports: [ports.grpc, ports.http, ports.metrics],
    ready: () => checkNamespace(http, config.temporal.namespace),
    watch: (ended) => whenInterrupted(http, config.temporal.namespace, ended),
  };
}

/** Rejects if the server does not answer or does not know the namespace. */
export async function checkTemporal(address: string, namespace: string): Promise<void> {
  const { Connection } = await import("@temporalio/client");
  const connection = await Connection.connect({
    address,
    connectTimeout: attemptTimeoutMs,
    // The proxy of http_proxy may not reach it.
    channelArgs: { "grpc.enable_http_proxy": 0 },
  });
  try {
    await connection.withDeadline(Date.now() + attemptTimeoutMs, () =>
      connection.workflowService.describeNamespace({ namespace }),
    );
  } finally {
    await connection.close();
  }
}
