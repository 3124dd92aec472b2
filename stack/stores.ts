import type { Config } from "../src/config.ts";
import { StackError } from "./error.ts";
import { waitForGiven } from "./poll.ts";
import type { PortChooser } from "./ports.ts";
import type { Provisioning } from "./provision/install.ts";
import { findJava } from "./provision/java.ts";
import { planPostgres } from "./provision/postgres.ts";
import { planQuestdb } from "./provision/questdb.ts";
import { planTemporal } from "./provision/temporal.ts";
import { checkPostgres, postgresServer } from "./servers/postgres.ts";
import { checkQuestdb, questdbAddresses, questdbServer } from "./servers/questdb.ts";
import { checkTemporal, temporalServer } from "./servers/temporal.ts";
import { type Supervised, supervise } from "./supervisor.ts";

export interface StartedStore {
  /** Missing when the store was given by address. */
  readonly server?: Supervised;
  /** Settings with which src/config.ts finds the store. */
  readonly env: Readonly<Record<string, string>>;
}

/** Installs the store if need be, starts it, and resolves when it answers. */
export type StartStore = () => Promise<StartedStore>;

/**
 * Looks for all that a store needs and chooses its ports, without starting or installing anything.
 *
 * @throws StackError when something is missing
 */
export type PrepareStore = (provisioning: Provisioning, ports: PortChooser) => Promise<StartStore>;

export const prepareQuestdb: PrepareStore = async (provisioning, chooser) => {
  const { config, log, signal } = provisioning;
  const { given, readyTimeoutMs } = config.stack;
  const { http, pg } = config.questdb;
  if (given.questdbHttp !== given.questdbPg)
    throw new StackError("QUESTDB_HTTP and QUESTDB_PG go together: set both to addresses of one QuestDB, or neither.");
  if (given.questdbHttp)
    return async () => {
      await waitForGiven("QUESTDB_HTTP and QUESTDB_PG", () => checkQuestdb(http, pg), readyTimeoutMs, signal);
      return { env: { QUESTDB_HTTP: http, QUESTDB_PG: pg } };
    };

  const java = await findJava(config, signal);
  const install = planQuestdb(provisioning);
  const ports = {
    http: await chooser.choose(portOf(http)),
    pg: await chooser.choose(portOf(pg)),
    min: await chooser.choose(9003),
  };
  return async () => {
    const server = await supervise(await questdbServer(config, java, await install(), ports), log, signal);
    const addresses = questdbAddresses(ports);
    return { server, env: { QUESTDB_HTTP: addresses.http, QUESTDB_PG: addresses.pg } };
  };
};

export const prepareTemporal: PrepareStore = async (provisioning, chooser) => {
  const { config, log, signal } = provisioning;
  const { address, namespace, uiUrl } = config.temporal;
  if (config.stack.given.temporal)
    return async () => {
      const check = () => checkTemporal(address, namespace);
      await waitForGiven("TEMPORAL_ADDRESS", check, config.stack.readyTimeoutMs, signal);
      return { env: { TEMPORAL_ADDRESS: address, TEMPORAL_UI: uiUrl } };
    };

  const install = planTemporal(provisioning);
  const ports = {
    grpc: await chooser.choose(portOf(`http://${address}`)),
    ui: await chooser.choose(portOf(uiUrl)),
    http: await chooser.choose(),
    metrics: await chooser.choose(),
  };
  return async () => {
    const server = await supervise(await temporalServer(config, await install(), ports), log, signal);
    const env = {
      TEMPORAL_ADDRESS: `127.0.0.1:${ports.grpc}`,
      TEMPORAL_UI: config.stack.given.temporalUi ? uiUrl : `http://127.0.0.1:${ports.ui}`,
    };
    return { server, env };
  };
};

export const preparePostgres: PrepareStore = async (provisioning, chooser) => {
  const { config, log, signal } = provisioning;
  const given = config.postgres.url;
  if (config.stack.given.postgres)
    return async () => {
      await waitForGiven("DATABASE_URL", () => checkPostgres(given), config.stack.readyTimeoutMs, signal);
      return { env: { DATABASE_URL: given } };
    };

  const install = await planPostgres(provisioning);
  const port = await chooser.choose(portOf(given));
  return async () => {
    const { spec, url } = await postgresServer(provisioning, await install(), port);
    return { server: await supervise(spec, log, signal), env: { DATABASE_URL: url } };
  };
};

/** The address that a service of this configuration gets when its port is `port`. */
export function baseUrlOn(config: Config, port: number): string {
  if (config.stack.given.baseUrl || port === config.server.port) return config.server.baseUrl;
  const url = new URL(config.server.baseUrl);
  url.port = String(port);
  return url.origin;
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}
