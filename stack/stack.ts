import { fileURLToPath } from "node:url";
import { type Config, type Env, readConfig } from "../src/config.ts";
import { listenFailure } from "../src/errors/startFailure.ts";
import { dataDirMode, prepareDataDir } from "../src/store/write/dataDir.ts";
import { forgetAddresses, noteAddresses } from "./addresses.ts";
import { prepareDirectory } from "./disk.ts";
import { explainFileError, StackError } from "./error.ts";
import { acquireLock } from "./lock.ts";
import { obstacleAt, PortChooser } from "./ports.ts";
import type { Log } from "./progress.ts";
import { serviceServer } from "./servers/service.ts";
import { baseUrlOn, preparePostgres, prepareQuestdb } from "./stores.ts";
import { type Supervised, supervise } from "./supervisor.ts";
import { prepareTemporal } from "./temporalStore.ts";
import { buildWebApp } from "./webApp.ts";

export type PartName = "questdb" | "temporal" | "postgres" | "api" | "worker";

export type StackOptions = {
  /** Stores whose address the user has given are used as they are. */
  readonly config: Config;
  readonly log: Log;
  /** What to run; everything by default. */
  readonly parts?: readonly PartName[];
  /** Whether to try the stores' usual ports first. Tests set false, to avoid a stack that a person runs. */
  readonly preferUsualPorts?: boolean;
  /** Other files to run instead of our own processes, absolute or from the root of the repository. */
  readonly scripts?: { readonly api?: string; readonly worker?: string };
  /** Whether this restores DATA_DIR: nothing else starts on it meanwhile. */
  readonly isRestore?: boolean;
  /** Aborted to cancel the start. */
  readonly signal?: AbortSignal;
  /** Called when the API answers before Temporal does; the first start of Temporal takes minutes. */
  readonly onEarlyApi?: (config: Config) => void | Promise<void>;
};

export type Stack = {
  /** The configuration for the API and the worker, with the address of each part. */
  readonly config: Config;
  /** The environment with the same settings for further processes. */
  readonly env: Env;
  /** Stops the API, then the worker, then the stores, each in its own way. */
  stop(): Promise<void>;
  /** Kills a part with kill -9. It then stays down until `restart`. Parts given by address cannot be killed. */
  kill(name: PartName): Promise<void>;
  /** Stops a part if it runs and starts it on the same ports. Resolves when it answers. */
  restart(name: PartName): Promise<void>;
  /** Process id of a part that this stack runs. */
  processId(name: PartName): number | undefined;
  /** Process ids of a part that consists of several servers, such as Temporal with its Web UI. */
  processIds(name: PartName): readonly number[];
};

const root = fileURLToPath(new URL("..", import.meta.url));
const stores = { questdb: prepareQuestdb, temporal: prepareTemporal, postgres: preparePostgres };
const storeNames = ["questdb", "temporal", "postgres"] as const;
const services = {
  api: { name: "api", label: "The API", script: "src/main/api.ts" },
  worker: { name: "worker", label: "The worker", script: "workflows/worker.ts" },
} as const;

/** A start under way. */
type Starting = {
  readonly options: StackOptions;
  readonly ports: PortChooser;
  readonly running: Map<PartName, Supervised>;
  /** Stores that do not answer yet. None of the promises rejects: a failure aborts `giveUp`. */
  readonly awaited: Set<Promise<void>>;
  readonly giveUp: AbortController;
  /** Aborted by `giveUp` or by the caller. */
  readonly signal: AbortSignal;
};

/**
 * Provisions and starts the stores, then the API as soon as QuestDB and PostgreSQL answer, and the worker when Temporal does too.
 * Resolves when all of them answer.
 *
 * All of them end with this process, however it ends. Call it on the main thread. Rejects with a StackError for problems that the
 * user can fix; nothing is left running then.
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { config } = options;
  const { dataDir, cacheDir } = config.stack;
  const wants = (name: PartName) => options.parts?.includes(name) ?? true;

  await prepareDirectory("DATA_DIR", dataDir, config.stack, dataDirMode);
  prepareDataDir(dataDir, options.isRestore);
  await prepareDirectory("CACHE_DIR", cacheDir, config.stack);
  const answer = await acquireLock(dataDir);
  if (!("lock" in answer))
    throw new StackError(
      `Lookout already runs on ${dataDir} (process ${answer.heldBy ?? "unknown"}). Stop it, or set DATA_DIR to another directory.`,
    );

  const giveUp = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, giveUp.signal]) : giveUp.signal;
  const ports = new PortChooser(options.preferUsualPorts ?? true);
  const running = new Map<PartName, Supervised>();
  const starting: Starting = { options, ports, running, awaited: new Set(), giveUp, signal };
  const stop = async () => {
    await running.get("api")?.stop();
    await running.get("worker")?.stop();
    // Temporal may have its data in PostgreSQL.
    await Promise.all([running.get("questdb")?.stop(), running.get("temporal")?.stop()]);
    await running.get("postgres")?.stop();
    running.clear();
    await forgetAddresses(dataDir);
    await answer.lock.release();
  };

  try {
    // Addresses of a killed stack.
    await forgetAddresses(dataDir);
    const port = wants("api") ? await chooseApiPort(config, ports) : config.server.port;
    const [storeEnv] = await Promise.all([
      startStores(starting, storeNames.filter(wants)),
      wants("api") ? buildWebApp(config, root, options.log, signal) : undefined,
    ]);
    await noteAddresses(dataDir, storeEnv);
    const { workerPort } = config.operations;
    const env: Env = {
      ...config.stack.environment,
      ...storeEnv,
      PORT: String(port),
      WORKER_OPERATIONS_PORT: String(workerPort === 0 ? 0 : await ports.choose(workerPort)),
      BASE_URL: baseUrlOn(config, port),
      DATA_DIR: dataDir,
      CACHE_DIR: cacheDir,
    };
    if (wants("api")) {
      await startService(starting, "api", env);
      if (starting.awaited.size > 0) await options.onEarlyApi?.(readConfig(env));
    }
    await Promise.all(starting.awaited);
    signal.throwIfAborted();
    if (wants("worker")) await startService(starting, "worker", env);
    return {
      config: readConfig(env),
      env,
      stop,
      kill: (name) => partOf(running, name).kill(),
      restart: (name) => partOf(running, name).restart(),
      processId: (name) => partOf(running, name).processIds()[0],
      processIds: (name) => partOf(running, name).processIds(),
    };
  } catch (error) {
    giveUp.abort(error);
    await Promise.all(starting.awaited);
    await stop();
    throw explainFileError(error, config.stack);
  }
}

/**
 * Checks all stores before any is installed, so that everything missing is reported at once and early. Resolves when their
 * addresses are known and all answer except those in `awaited`.
 */
async function startStores(
  starting: Starting,
  names: readonly (typeof storeNames)[number][],
): Promise<Record<string, string>> {
  const { options, ports, signal, giveUp } = starting;
  const { config, log } = options;
  const prepared = await Promise.allSettled(names.map((name) => stores[name]({ config, log, signal }, ports)));
  const missing = prepared.flatMap((result) =>
    result.status === "rejected" ? [explainFileError(result.reason, config.stack)] : [],
  );
  const unexpected = missing.find((reason) => !(reason instanceof StackError));
  if (unexpected) throw unexpected;
  const messages = missing.flatMap((reason) => (reason instanceof StackError ? [reason.message] : []));
  if (messages.length > 0) throw new StackError(messages.join("\n"));

  const env: Record<string, string> = {};
  const postgresUrl = Promise.withResolvers<string>();
  // Perhaps no store waits for it: a rejection must not end this process.
  postgresUrl.promise.catch(() => undefined);
  if (!names.includes("postgres")) postgresUrl.reject(new StackError("This stack has no PostgreSQL."));
  const started = prepared.map(async (result, index) => {
    const name = names[index];
    if (result.status !== "fulfilled" || !name) return;
    try {
      const store = await result.value(postgresUrl.promise);
      Object.assign(env, store.env);
      if (store.env["DATABASE_URL"] !== undefined) postgresUrl.resolve(store.env["DATABASE_URL"]);
      if (store.server instanceof Promise) awaitServer(starting, name, store.server);
      else if (store.server) starting.running.set(name, store.server);
    } catch (error) {
      if (name === "postgres") postgresUrl.reject(error);
      giveUp.abort(error);
    }
  });
  await Promise.all(started);
  signal.throwIfAborted();
  return env;
}

/** Counts a server as running once it answers. */
function awaitServer({ running, awaited, giveUp }: Starting, name: PartName, server: Promise<Supervised>): void {
  const settled = server
    .then(
      (answering) => void running.set(name, answering),
      (error: unknown) => giveUp.abort(error),
    )
    .finally(() => awaited.delete(settled));
  awaited.add(settled);
}

async function startService({ options, running, signal }: Starting, name: "api" | "worker", env: Env): Promise<void> {
  const service = services[name];
  const script = options.scripts?.[name] ?? service.script;
  const { apiNodeFlags, workerNodeFlags } = options.config.stack;
  const nodeFlags = name === "api" ? apiNodeFlags : workerNodeFlags;
  const spec = serviceServer(options.config, { ...service, script, nodeFlags }, root, env);
  running.set(name, await supervise(spec, options.log, signal));
}

async function chooseApiPort(config: Config, ports: PortChooser): Promise<number> {
  const { host, port } = config.server;
  if (port === 0) return ports.choose();
  const obstacle = await obstacleAt(port, host);
  if (obstacle === undefined) return port;
  throw listenFailure(obstacle, host, port);
}

function partOf(running: Map<PartName, Supervised>, name: PartName): Supervised {
  const part = running.get(name);
  if (!part) throw new StackError(`${name} is not run by this stack.`);
  return part;
}
