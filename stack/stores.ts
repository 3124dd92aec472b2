import type { Config } from "../src/config.ts";
import { StackError } from "./error.ts";
import { raiseMapLimit } from "./mapLimit.ts";
import { waitForGiven } from "./poll.ts";
import { isPortFree, type PortChooser } from "./ports.ts";
import type { Provisioning } from "./provision/install.ts";
import { findJava } from "./provision/java.ts";
import { planPostgres } from "./provision/postgres.ts";
import { planQuestdb } from "./provision/questdb.ts";
import { checkPostgres, postgresServer } from "./servers/postgres.ts";
import { checkQuestdb, questdbServer } from "./servers/questdb.ts";
import { type Supervised, supervise } from "./supervisor.ts";

export type StartedStore = {
  /** Missing if the store was given by address; a promise if its address is known before it answers. */
  readonly server?: Supervised | Promise<Supervised>;
  /** Settings with which src/config.ts finds the store. */
  readonly env: Readonly<Record<string, string>>;
};

/**
 * Installs the store if necessary, starts it, and resolves when its address is known. A store with its data in the stack's
 * PostgreSQL waits for PostgreSQL's address.
 */
export type StartStore = (postgresUrl: Promise<string>) => Promise<StartedStore>;

/**
 * Checks for everything that a store needs, without starting or installing anything.
 *
 * Rejects with a StackError if something is missing.
 */
export type PrepareStore = (provisioning: Provisioning, ports: PortChooser) => Promise<StartStore>;

export const prepareQuestdb: PrepareStore = async (provisioning, chooser) => {
  const { config, log, signal } = provisioning;
  const { given, readyTimeoutMs } = config.stack;
  const { http, pg } = config.questdb;
  if (given.questdbHttp !== given.questdbPg)
    throw new StackError("QUESTDB_HTTP and QUESTDB_PG go together: set both to addresses of one QuestDB, or neither.");
  // Processes wait for their shards themselves: a replica may be unavailable.
  if (config.questdb.shards.length > 0) return async () => ({ env: {} });
  if (given.questdbHttp)
    return async () => {
      await waitForGiven("QUESTDB_HTTP and QUESTDB_PG", () => checkQuestdb(http, pg), readyTimeoutMs, signal);
      return { env: { QUESTDB_HTTP: http, QUESTDB_PG: pg } };
    };

  const java = await findJava(config, signal, log);
  const install = planQuestdb(provisioning, java);
  const choose = async () => ({
    http: await chooser.choose(portOf(http)),
    pg: await chooser.choose(portOf(pg)),
    min: await chooser.choose(9003),
  });
  return async () => {
    const program = await install();
    await raiseMapLimit(config.stack.maxMapCount, log);
    return await onFreePorts(choose, async (ports) => {
      const { spec, addresses, root } = await questdbServer(config, program, ports);
      const server = await supervise(spec, log, signal);
      return { server, env: { QUESTDB_HTTP: addresses.http, QUESTDB_PG: addresses.pg, QUESTDB_ROOT: root } };
    });
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
  const choose = async () => ({ sql: await chooser.choose(portOf(given)) });
  return async () => {
    const installation = await install();
    return await onFreePorts(choose, async (ports) => {
      const { spec, url } = await postgresServer(provisioning, installation, ports.sql);
      return { server: await supervise(spec, log, signal), env: { DATABASE_URL: url } };
    });
  };
};

/** Chooses ports as late as possible. If another process takes one before it is used, chooses again. */
async function onFreePorts<Ports extends Readonly<Record<string, number>>>(
  choose: () => Promise<Ports>,
  start: (ports: Ports) => Promise<StartedStore>,
): Promise<StartedStore> {
  for (let attempt = 1; ; attempt++) {
    const ports = await choose();
    try {
      return await start(ports);
    } catch (error) {
      const free = await Promise.all(Object.values(ports).map((port) => isPortFree(port)));
      if (attempt === maxAttempts || free.every(Boolean)) throw error;
    }
  }
}

const maxAttempts = 3;

/** The address of a service of this configuration when its port is `port`. */
export function baseUrlOn(config: Config, port: number): string {
  if (config.stack.given.baseUrl || port === config.server.port) return config.server.baseUrl;
  const url = new URL(config.server.baseUrl);
  url.port = String(port);
  return url.origin;
}

export function portOf(url: string): number {
  return Number(new URL(url).port);
}
