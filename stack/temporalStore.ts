import { readConfig } from "../src/config.ts";
import { isLoopbackHost } from "../src/text/loopbackHost.ts";
import { StackError } from "./error.ts";
import { waitForGiven } from "./poll.ts";
import type { PortChooser } from "./ports.ts";
import type { Provisioning } from "./provision/install.ts";
import { planTemporal } from "./provision/temporal.ts";
import { planTemporalServer } from "./provision/temporalServer.ts";
import { guardTemporalUi } from "./servers/guardTemporalUi.ts";
import { checkTemporal, temporalServer } from "./servers/temporal.ts";
import { prepareTemporalDatabases } from "./servers/temporalDatabases.ts";
import { makeTemporalDoor, type TemporalDoor } from "./servers/temporalDoor.ts";
import { temporalServers } from "./servers/temporalServer.ts";
import { chooseServerPorts } from "./servers/temporalSettings.ts";
import { type PrepareStore, portOf } from "./stores.ts";
import { superviseAll } from "./superviseAll.ts";
import type { ServerSpec } from "./supervisor.ts";

/** Ports that other processes know before Temporal runs. */
type KnownPorts = { readonly grpc: number; readonly http: number; readonly ui: number };

/** The servers to run, after they are installed and their ports are free. */
type PlanServers = (
  ports: KnownPorts,
  door: TemporalDoor,
  postgresUrl: Promise<string>,
) => Promise<readonly ServerSpec[]>;

export const prepareTemporal: PrepareStore = async (provisioning, chooser) => {
  const { config, log, signal } = provisioning;
  const { address, namespace, uiUrl } = config.temporal;
  if (config.stack.given.temporal)
    return async () => {
      const check = () => checkTemporal(address, namespace);
      await waitForGiven("TEMPORAL_ADDRESS", check, config.stack.readyTimeoutMs, signal);
      return { env: { TEMPORAL_ADDRESS: address, TEMPORAL_UI: uiUrl } };
    };

  const install = config.stack.temporal === "dev" ? planDev(provisioning, chooser) : planServer(provisioning, chooser);
  return async (postgresUrl) => {
    // The API gets the address at its start, and the first start of Temporal takes minutes: hold its ports meanwhile.
    const grpc = await chooser.hold(portOf(`http://${address}`));
    const ui = await chooser.hold(portOfUi(uiUrl));
    const http = await chooser.hold();
    const shownUi = config.stack.given.temporalUi ? uiUrl : `http://127.0.0.1:${ui.port}`;
    const start = async () => {
      let plan: PlanServers;
      try {
        plan = await install();
      } finally {
        await Promise.all([grpc, ui, http].map((held) => held.release()));
      }
      const door = makeTemporalDoor();
      const inner = await chooser.choose();
      const specs = await plan({ grpc: grpc.port, http: http.port, ui: inner }, door, postgresUrl);
      const guard = await guardTemporalUi(ui.port, shownUi, { address: door.uiAddress, port: inner });
      try {
        const servers = await superviseAll(specs, log, signal);
        // The guard keeps running while the servers restart.
        const stop = async () => {
          guard.close();
          await servers.stop();
        };
        return { ...servers, stop };
      } catch (error) {
        guard.close();
        throw error;
      }
    };
    return { server: start(), env: { TEMPORAL_ADDRESS: `127.0.0.1:${grpc.port}`, TEMPORAL_UI: shownUi } };
  };
};

/** TEMPORAL_UI may be the address of a reverse proxy, which passes requests to the usual port. */
function portOfUi(uiUrl: string): number {
  return portOf(isLoopbackHost(new URL(uiUrl).host) ? uiUrl : readConfig({}).temporal.uiUrl);
}

function planDev(provisioning: Provisioning, chooser: PortChooser): () => Promise<PlanServers> {
  const install = planTemporal(provisioning);
  return async () => {
    const program = await install();
    return async (ports, door) => {
      const metrics = await chooser.choose();
      return [await temporalServer(provisioning.config, program, { ...ports, metrics }, door)];
    };
  };
}

function planServer(provisioning: Provisioning, chooser: PortChooser): () => Promise<PlanServers> {
  const { config } = provisioning;
  if (config.stack.given.postgres)
    throw new StackError(
      `TEMPORAL=${config.stack.temporal} keeps its data in the PostgreSQL of npm start, and DATABASE_URL names another one. ` +
        "Unset DATABASE_URL, set TEMPORAL=dev, or set TEMPORAL_ADDRESS to a Temporal server of your own.",
    );
  const install = planTemporalServer(provisioning);
  return async () => {
    const programs = await install();
    return async (known, door, postgresUrl) => {
      const url = await postgresUrl;
      await prepareTemporalDatabases(provisioning, programs.sqlTool, url);
      return await temporalServers(config, programs, url, await chooseServerPorts(chooser, known), door);
    };
  };
}
