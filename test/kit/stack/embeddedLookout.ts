import { join } from "node:path";
import { type Env, readConfig } from "../../../src/config.ts";
import type { Log } from "../../../stack/progress.ts";
import { startStack } from "../../../stack/stack.ts";
import type { RunningLookout } from "./runningLookout.ts";

/** What a set-up starts, before anything is read of it. */
export type StartedLookout = Omit<RunningLookout, "organizationId" | "websiteId" | "apiKey" | "grpcurlPath"> & {
  /** Has the credentials of the first start. */
  readonly credentialsDir: string;
  stop(): Promise<void>;
};

/** What `npm start` starts. */
export async function startEmbeddedLookout(env: Env, log: Log, signal: AbortSignal): Promise<StartedLookout> {
  const stack = await startStack({ config: readConfig(env), log, preferUsualPorts: false, signal });
  const { operations, server, questdb, postgres, temporal, stack: own } = stack.config;
  return {
    kind: "embedded",
    baseUrl: server.baseUrl,
    workerUrl: `http://127.0.0.1:${operations.workerPort}`,
    questdbHttp: questdb.http,
    questdbPg: questdb.pg,
    questdbs: [{ http: questdb.http, pg: questdb.pg, root: join(own.dataDir, "questdb") }],
    storeEnv: {
      DATABASE_URL: postgres.url,
      QUESTDB_HTTP: questdb.http,
      QUESTDB_PG: questdb.pg,
      TEMPORAL_ADDRESS: temporal.address,
    },
    databaseUrl: postgres.url,
    temporalAddress: temporal.address,
    temporalUi: temporal.uiUrl,
    dataDir: own.dataDir,
    cacheDir: own.cacheDir,
    credentialsDir: own.dataDir,
    stop: () => stack.stop(),
  };
}
