import { StackError } from "./error.ts";
import { waitForGiven } from "./poll.ts";
import type { PortChooser } from "./ports.ts";
import type { Provisioning } from "./provision/install.ts";
import { planTemporal } from "./provision/temporal.ts";
import { planTemporalServer } from "./provision/temporalServer.ts";
import { checkTemporal, temporalServer } from "./servers/temporal.ts";
import { prepareTemporalDatabases } from "./servers/temporalDatabases.ts";
import { temporalServers } from "./servers/temporalServer.ts";
import { chooseServerPorts } from "./servers/temporalSettings.ts";
import { type PrepareStore, portOf } from "./stores.ts";
import { superviseAll } from "./superviseAll.ts";
import type { ServerSpec } from "./supervisor.ts";

/** Ports that others know before Temporal runs. */
type KnownPorts = { readonly grpc: number; readonly http: number; readonly ui: number };

/** The servers to run, once they are installed and their ports are free. */
type PlanServers = (ports: KnownPorts, postgresUrl: Promise<string>) => Promise<readonly ServerSpec[]>;

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
    // The API gets the address at its start, and the first start of Temporal takes minutes: its ports are kept meanwhile.
    const grpc = await chooser.hold(portOf(`http://${address}`));
    const ui = await chooser.hold(portOf(uiUrl));
    const http = await chooser.hold();
    const start = async () => {
      let plan: PlanServers;
      try {
        plan = await install();
      } finally {
        await Promise.all([grpc, ui, http].map((held) => held.release()));
      }
      const specs = await plan({ grpc: grpc.port, http: http.port, ui: ui.port }, postgresUrl);
      return await superviseAll(specs, log, signal);
    };
    const shownUi = config.stack.given.temporalUi ? uiUrl : `http://127.0.0.1:${ui.port}`;
    return { server: start(), env: { TEMPORAL_ADDRESS: `127.0.0.1:${grpc.port}`, TEMPORAL_UI: shownUi } };
  };
};

function planDev(provisioning: Provisioning, chooser: PortChooser): () => Promise<PlanServers> {
  const install = planTemporal(provisioning);
  return async () => {
    const program = await install();
    return async (ports) => {
      const metrics = await chooser.choose();
      return [await temporalServer(provisioning.config, program, { ...ports, metrics })];
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
    return async (known, postgresUrl) => {
      const url = await postgresUrl;
      await prepareTemporalDatabases(provisioning, programs.sqlTool, url);
      return await temporalServers(config, programs, url, await chooseServerPorts(chooser, known));
    };
  };
}
