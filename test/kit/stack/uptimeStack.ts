import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type pg from "pg";
import { type Env, readConfig } from "../../../src/config.ts";
import { openStores } from "../../../src/main/compose.ts";
import { createLog } from "../../../src/observability/log.ts";
import { openPostgres } from "../../../src/store/postgres/postgres.ts";
import type { QuestdbReader } from "../../../src/store/questdb/questdbReader.ts";
import { TemporalConnection } from "../../../src/store/temporal/temporalConnection.ts";
import { type PartName, type Stack, startStack } from "../../../stack/stack.ts";
import { type Values, valuesForProcess, withValues } from "./values.ts";

/** The product, or parts of it, with its own data and monitors that may check this machine; and clients of each store. */
export type UptimeStack = {
  readonly stack: Stack;
  readonly config: Stack["config"];
  readonly questdb: QuestdbReader;
  readonly postgres: pg.Pool;
  readonly temporal: TemporalConnection;
  stop(): Promise<void>;
};

/** For those who do not stop it. */
export type RunningStack = Omit<UptimeStack, "stop">;

export type UptimeStackOptions = {
  readonly env?: Env;
  /** Of the configuration of its API and worker, beside the settings. */
  readonly values?: Values;
  /** Default: all of them. */
  readonly parts?: readonly PartName[];
  /** Run in place of `src/main/api.ts`. */
  readonly api?: string | undefined;
  readonly log?: (line: string) => void;
};

export async function startUptimeStack({
  env,
  values,
  parts,
  api,
  log,
}: UptimeStackOptions = {}): Promise<UptimeStack> {
  const dataDir = await mkdtemp(join(tmpdir(), "lookout-uptime-"));
  // PostgreSQL may run as another user, who has to pass.
  await chmod(dataDir, 0o711);
  const given = { DATA_DIR: dataDir, PORT: "0", BASE_URL: undefined, LOG_LEVEL: "warn" };
  const own = valuesForProcess(values ?? {});
  const settings = readConfig({ ...process.env, ...given, UPTIME_ALLOW_CIDRS: "127.0.0.0/8", ...env, ...own.env });
  const { apiNodeFlags, workerNodeFlags } = settings.stack;
  const stack = await startStack({
    config: withValues(settings, {
      ...values,
      stack: {
        apiNodeFlags: [...own.nodeFlags, ...apiNodeFlags],
        workerNodeFlags: [...own.nodeFlags, ...workerNodeFlags],
        ...values?.stack,
      },
    }),
    log: log ?? (() => undefined),
    preferUsualPorts: false,
    ...(parts === undefined ? {} : { parts }),
    ...(api === undefined ? {} : { scripts: { api } }),
  });
  const { config } = stack;
  const quiet = createLog({ level: "fatal" }, "test");
  const { questdb: nodes } = openStores(config, quiet);
  // On a busy machine a connection may take longer than the service would wait.
  const postgres = openPostgres({ ...config.postgres, connectTimeoutMs: 100_000 }, quiet);
  const questdb = nodes.only("A test").reader;
  const temporal = new TemporalConnection(config.temporal);
  return {
    stack,
    config,
    questdb,
    postgres,
    temporal,
    async stop() {
      await Promise.all([questdb.close(), postgres.end(), temporal.close()]);
      await stack.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
