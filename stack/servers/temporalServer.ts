import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config, Env } from "../../src/config.ts";
import { askLocal } from "../localRequest.ts";
import type { TemporalPrograms } from "../provision/temporalServer.ts";
import type { ServerSpec } from "../supervisor.ts";
import { patientSchedules } from "./patientSchedules.ts";
import { doorSettings, type TemporalDoor } from "./temporalDoor.ts";
import { ensureNamespace } from "./temporalNamespace.ts";
import {
  type TemporalServerPorts,
  temporalRoles,
  temporalServerSettings,
  temporalUiSettings,
} from "./temporalSettings.ts";

const attemptTimeoutMs = 2_000;

/** The Temporal server on 127.0.0.1 with its data in PostgreSQL, as one process or one for each role, and its Web UI. */
export async function temporalServers(
  config: Config,
  programs: TemporalPrograms,
  postgresUrl: string,
  ports: TemporalServerPorts,
  door: TemporalDoor,
): Promise<ServerSpec[]> {
  const home = join(config.stack.dataDir, "temporal");
  const uiHome = join(home, "ui");
  await mkdir(uiHome, { recursive: true, mode: 0o700 });
  // The files contain the password of PostgreSQL.
  const write = (file: string, settings: object) => writeFile(file, JSON.stringify(settings, null, 2), { mode: 0o600 });
  const common = {
    env: { ...config.stack.temporalMemory, ...withoutTemporal(config.stack.environment), ...patientSchedules },
    cwd: home,
    stopSignal: "SIGTERM",
    stopTimeoutMs: 15_000,
    readyTimeoutMs: config.stack.readyTimeoutMs,
  } as const;

  const dynamicSettings = join(home, "dynamic.json");
  const asRead = Object.entries(doorSettings(door)).map(([name, value]) => [name, [{ value }]]);
  await write(dynamicSettings, Object.fromEntries(asRead));
  const processes = config.stack.temporal === "cluster" ? temporalRoles.map((role) => [role]) : [temporalRoles];
  const servers = processes.map(async (roles): Promise<ServerSpec> => {
    const [first] = roles;
    const isWhole = roles.length === temporalRoles.length;
    const name = isWhole ? "temporal" : `temporal-${first}`;
    const file = join(home, `${name}.json`);
    const metricsPort = ports.roles[first].metrics;
    await write(file, temporalServerSettings(config, postgresUrl, ports, { metricsPort, dynamicSettings }));
    const rolePorts = roles.flatMap((role) => [ports.roles[role].grpc, ports.roles[role].membership]);
    const services = roles.flatMap((role) => ["--service", role]);
    return {
      ...common,
      label: isWhole ? "Temporal" : `Temporal's ${first}`,
      command: programs.server,
      // Its port is only open on this machine, like that of the development server.
      args: ["--config-file", file, "--allow-no-auth", "start", ...services],
      logFile: join(config.stack.dataDir, "logs", `${name}.log`),
      ports: [...rolePorts, metricsPort],
      ready: roles.some((role) => role === "frontend")
        ? () => ensureNamespace({ port: ports.http, host: door.apiHost }, config.temporal.namespace)
        : async () => undefined,
    };
  });

  // The Web UI also reads other files of its directory.
  await write(join(uiHome, "base.yaml"), temporalUiSettings(config, ports, door.uiAddress));
  const ui: ServerSpec = {
    ...common,
    label: "The Temporal Web UI",
    command: programs.ui,
    args: ["--root", home, "--config", "ui", "start"],
    logFile: join(config.stack.dataDir, "logs", "temporal-ui.log"),
    // listensOn knows ports of 127.0.0.1. No other program listens on this address.
    ports: [],
    ready: () => checkUi(door.uiAddress, ports.ui),
  };
  return [...(await Promise.all(servers)), ui];
}

/** The Web UI's variables with this prefix would override its settings file. */
function withoutTemporal(env: Env): Env {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith("TEMPORAL")));
}

async function checkUi(address: string, port: number): Promise<void> {
  const { status } = await askLocal({ address, port, path: "/api/v1/settings", timeoutMs: attemptTimeoutMs });
  if (status !== 200) throw new Error(`The Temporal Web UI answers ${status}`);
}
