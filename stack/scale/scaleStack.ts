import { existsSync } from "node:fs";
import { mkdir, readdir, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Config, type Env, readConfig } from "../../src/config.ts";
import { raiseMapLimit } from "../mapLimit.ts";
import { PortChooser } from "../ports.ts";
import type { Log } from "../progress.ts";
import { findJava } from "../provision/java.ts";
import { planKafka } from "../provision/kafka.ts";
import { planQuestdb, type QuestdbProgram } from "../provision/questdb.ts";
import { type KafkaInstallation, type KafkaPorts, kafkaHome, kafkaServer } from "../servers/kafka.ts";
import { questdbServer } from "../servers/questdb.ts";
import { type Service, serviceServer } from "../servers/service.ts";
import { type Stack, startStack } from "../stack.ts";
import { baseUrlOn } from "../stores.ts";
import { type Supervised, supervise } from "../supervisor.ts";
import { type LocalProxy, startProxy } from "./proxy.ts";

export type ScaleOptions = {
  /** Its DATA_DIR contains those of all parts. PostgreSQL and Temporal are used as they are if their addresses are given. */
  readonly config: Config;
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly preferUsualPorts: boolean;
  /** Numbers of each; a shard has `replicas` QuestDBs, each with a consumer. */
  readonly shards: number;
  readonly replicas: number;
  readonly apis: number;
  readonly workers: number;
  /** The settings of running brokers to use instead of three of its own. */
  readonly brokers?: Env;
  /** Without it nothing scheduled runs: no workers either. */
  readonly withTemporal?: boolean;
};

/** A QuestDB of the installation. */
export type Replica = { readonly shard: string; readonly name: string; readonly http: string; readonly pg: string };

export type ScaleStack = {
  /** The address of the proxy in front of the APIs. */
  readonly url: string;
  /** The configuration of each API process. */
  readonly apis: readonly Config[];
  readonly replicas: readonly Replica[];
  /** The ports of the consumers for health and metrics, in the order of the replicas. */
  readonly consumerPorts: readonly number[];
  /** The same ports of the workers. */
  readonly workerPorts: readonly number[];
  /** The environment for further processes. */
  readonly env: Env;
  /** The parts: broker-1, questdb-s1-a, consumer-s1-a, api-1, worker-1 and so on. */
  readonly parts: readonly string[];
  /** Kills a part with kill -9, also postgres and temporal. It then stays down until `restart`. */
  kill(part: string): Promise<void>;
  restart(part: string): Promise<void>;
  /** Empties the disk of a part that was killed. */
  loseDisk(part: string): Promise<void>;
  /** The directory with all that a part stores. */
  diskOf(part: string): string;
  processId(part: string): number | undefined;
  /** The ids of all processes of a part that were started here; several for postgres and temporal. */
  processIds(part: string): readonly number[];
  stop(): Promise<void>;
};

/** Three is the least with which a row survives the loss of one broker while rows are still accepted. */
const brokerCount = 3;

const root = fileURLToPath(new URL("../..", import.meta.url));

/** A running part, and how to start it again on an empty disk. */
type Part = { supervised: Supervised; readonly disk: string; readonly start: () => Promise<Supervised> };

/**
 * A whole installation of several machines on this one: brokers, shards with replicas and their consumers, APIs and workers, each
 * with its own directory below DATA_DIR. All of them end with this process.
 */
export async function startScaleStack(options: ScaleOptions): Promise<ScaleStack> {
  const { config, log, signal } = options;
  const chooser = new PortChooser(options.preferUsualPorts);
  const parts = new Map<string, Part>();
  let proxy: LocalProxy | undefined;
  const base = await startStack({
    config,
    log,
    signal,
    parts: (options.withTemporal ?? true) ? ["postgres", "temporal"] : ["postgres"],
    preferUsualPorts: options.preferUsualPorts,
  });
  const stop = async () => {
    await proxy?.close();
    for (const kind of ["api", "worker", "consumer", "questdb", "broker"]) {
      const found = [...parts].filter(([name]) => name.startsWith(`${kind}-`));
      await Promise.all(found.map(([, { supervised }]) => supervised.stop()));
    }
    await base.stop();
  };
  const run = async (name: string, disk: string, start: () => Promise<Supervised>) => {
    await mkdir(disk, { recursive: true, mode: 0o700 });
    parts.set(name, { supervised: await start(), disk, start });
  };
  const starting: Starting = { ...options, chooser, run };
  try {
    await raiseMapLimit(config.stack.maxMapCount, log);
    const java = await findJava(config, signal, log);
    const provisioning = { config, log, signal };
    const questdb = await planQuestdb(provisioning, java)();
    const ownKafka = options.brokers === undefined ? { java, jars: await planKafka(provisioning)() } : undefined;
    const [brokers, replicas] = await Promise.all([
      ownKafka === undefined ? [] : startBrokers(starting, ownKafka),
      startReplicas(starting, base, questdb),
    ]);
    const { server } = config;
    const port = await chooser.choose(server.port === 0 ? undefined : server.port);
    const env: Env = {
      ...base.env,
      BASE_URL: baseUrlOn(config, port),
      KAFKA_BROKERS: brokers.map(({ broker }) => `127.0.0.1:${broker}`).join(","),
      ...options.brokers,
      SHARDS: shardsOf(replicas),
      QUESTDB_HTTP: replicas[0]?.http,
      QUESTDB_PG: replicas[0]?.pg,
      API_OPERATIONS_PORT: "0",
    };
    const apis = await startApis(starting, env);
    proxy = await startProxy(
      port,
      apis.map(({ server: { port: own } }) => own),
    );
    const consumerPorts = await startConsumers(starting, env, replicas);
    const workerPorts = await startWorkers(starting, env);
    return {
      url: readConfig(env).server.baseUrl,
      apis,
      replicas,
      consumerPorts,
      workerPorts,
      env,
      parts: [...parts.keys()].sort(),
      ...controls(parts, base),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** What all parts are started with. */
type Starting = ScaleOptions & {
  readonly chooser: PortChooser;
  /** Starts a part and notes it. */
  readonly run: (name: string, disk: string, start: () => Promise<Supervised>) => Promise<void>;
};

function controls(
  parts: ReadonlyMap<string, Part>,
  base: Stack,
): Pick<ScaleStack, "kill" | "restart" | "loseDisk" | "diskOf" | "processId" | "processIds"> {
  const isStore = (name: string): name is "postgres" | "temporal" => name === "postgres" || name === "temporal";
  const partOf = (name: string): Part => {
    const part = parts.get(name);
    if (part === undefined) throw new RangeError(`There is no part ${name}, only ${[...parts.keys()].join(", ")}`);
    return part;
  };
  return {
    kill: (name) => (isStore(name) ? base.kill(name) : partOf(name).supervised.kill()),
    restart: async (name) => {
      if (isStore(name)) return await base.restart(name);
      const part = partOf(name);
      await part.supervised.kill();
      part.supervised = await part.start();
    },
    loseDisk: async (name) => {
      const { disk } = partOf(name);
      // The directory stays: it may be on a disk of its own.
      for (const entry of await readdir(disk))
        await rm(join(disk, entry), { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    },
    diskOf: (name) => partOf(name).disk,
    processId: (name) => (isStore(name) ? base.processId(name) : partOf(name).supervised.processIds()[0]),
    processIds: (name) => (isStore(name) ? base.processIds(name) : partOf(name).supervised.processIds()),
  };
}

async function startBrokers(
  { config, log, signal, chooser, run }: Starting,
  installation: KafkaInstallation,
): Promise<KafkaPorts[]> {
  const cluster: KafkaPorts[] = [];
  for (let index = 0; index < brokerCount; index += 1)
    cluster.push({ broker: await chooser.choose(9_092 + index), controller: await chooser.choose(9_192 + index) });
  await Promise.all(
    cluster.map((_, index) =>
      run(`broker-${index + 1}`, kafkaHome(config, index), async () =>
        supervise(await kafkaServer(config, installation, cluster, index, signal), log, signal),
      ),
    ),
  );
  return cluster;
}

async function startReplicas(
  { config, log, signal, shards, replicas, chooser, run }: Starting,
  base: Stack,
  questdb: QuestdbProgram,
): Promise<Replica[]> {
  const names = counted(shards).flatMap((shard) =>
    counted(replicas).map((replica) => ({ shard: `s${shard}`, name: letterOf(replica) })),
  );
  return await Promise.all(
    names.map(async ({ shard, name }): Promise<Replica> => {
      const part = `questdb-${shard}-${name}`;
      const home = join(config.stack.dataDir, part);
      const own = readConfig({ ...base.env, DATA_DIR: home });
      const ports = { http: await chooser.choose(), pg: await chooser.choose(), min: await chooser.choose() };
      let addresses = { http: "", pg: "" };
      await run(part, join(home, "questdb"), async () => {
        const server = await questdbServer(own, questdb, ports);
        addresses = server.addresses;
        // A consumer that has not noticed the lost disk must not create tables with other columns.
        const env = { ...server.spec.env, QDB_LINE_AUTO_CREATE_NEW_TABLES: "false" };
        return await supervise({ ...server.spec, env, label: `QuestDB ${shard}${name}` }, log, signal);
      });
      return { shard, name, ...addresses };
    }),
  );
}

function shardsOf(replicas: readonly Replica[]): string {
  const byShard = Map.groupBy(replicas, ({ shard }) => shard);
  return [...byShard].map(([shard, of]) => `${shard}=${of.map(({ http, pg }) => `${http}|${pg}`).join(",")}`).join(";");
}

/** Runs one of our own processes with a directory of its own. Resolves to its environment. */
async function startService(
  { config, log, signal, run }: Starting,
  service: Service,
  given: Env,
  sharesExports = true,
): Promise<Env> {
  const disk = join(config.stack.dataDir, service.name);
  const env = { ...given, DATA_DIR: disk };
  await run(service.name, disk, async () => {
    if (sharesExports) await shareExports(config, disk);
    return await supervise(serviceServer(config, service, root, env), log, signal);
  });
  return env;
}

async function startApis(starting: Starting, env: Env): Promise<Config[]> {
  const nodeFlags = starting.config.stack.apiNodeFlags;
  const started: Config[] = [];
  // One after the other: the first one creates the tables and accounts.
  for (const number of counted(starting.apis)) {
    const service = { name: `api-${number}`, label: `API ${number}`, script: "src/main/api.ts", nodeFlags };
    const PORT = String(await starting.chooser.choose());
    started.push(readConfig(await startService(starting, service, { ...env, PORT })));
  }
  return started;
}

async function startConsumers(starting: Starting, env: Env, replicas: readonly Replica[]): Promise<number[]> {
  return await Promise.all(
    replicas.map(async ({ shard, name }) => {
      const port = await starting.chooser.choose();
      const service = {
        name: `consumer-${shard}-${name}`,
        label: `The consumer of ${shard}${name}`,
        script: "src/main/consumer.ts",
        args: ["--shard", shard, "--replica", name],
        nodeFlags: [],
      };
      await startService(starting, service, { ...env, CONSUMER_OPERATIONS_PORT: String(port) }, false);
      return port;
    }),
  );
}

async function startWorkers(starting: Starting, env: Env): Promise<number[]> {
  const nodeFlags = starting.config.stack.workerNodeFlags;
  const ports: number[] = [];
  for (const number of counted(starting.workers)) {
    const port = await starting.chooser.choose();
    ports.push(port);
    const service = { name: `worker-${number}`, label: `Worker ${number}`, script: "workflows/worker.ts", nodeFlags };
    await startService(starting, service, { ...env, WORKER_OPERATIONS_PORT: String(port) });
  }
  return ports;
}

/** All APIs and workers share one directory of exports, as with a bucket: a worker makes an archive, and any API sends it. */
async function shareExports({ stack }: Config, disk: string): Promise<void> {
  const shared = join(stack.dataDir, "exports");
  await mkdir(shared, { recursive: true, mode: 0o700 });
  await mkdir(disk, { recursive: true, mode: 0o700 });
  const own = join(disk, "exports");
  if (!existsSync(own)) await symlink(shared, own);
}

const counted = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

const letterOf = (number: number): string => String.fromCharCode("a".charCodeAt(0) + number - 1);
