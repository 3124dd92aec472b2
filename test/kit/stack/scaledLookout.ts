import { join } from "node:path";
import { type Env, readConfig } from "../../../src/config.ts";
import type { Log } from "../../../stack/progress.ts";
import { startScaleStack } from "../../../stack/scale/scaleStack.ts";
import type { StartedLookout } from "./embeddedLookout.ts";

/** One shard, so that what tests read of the first QuestDB is what queries read; all else as `npm run start:scale` has it. */
const size = { shards: 1, replicas: 2, apis: 2, workers: 2 };

/** What `npm run start:scale` starts, with caches that follow changes soon (whenOthersKnow.ts), for tests that are written for one API, one worker and one QuestDB. */
export async function startScaledLookout(env: Env, log: Log, signal: AbortSignal): Promise<StartedLookout> {
  const config = readConfig({ TEMPORAL: "server", CACHE_MS: "200", ...env });
  const stack = await startScaleStack({ config, log, signal, preferUsualPorts: false, ...size });
  const own = readConfig(stack.env);
  const [api] = stack.apis;
  const [workerPort] = stack.workerPorts;
  if (api === undefined) throw new Error("no API runs");
  const { http: questdbHttp, pg: questdbPg } = own.questdb;
  return {
    kind: "scale",
    baseUrl: stack.url,
    workerUrl: `http://127.0.0.1:${workerPort}`,
    questdbHttp,
    questdbPg,
    questdbs: stack.replicas.map(({ shard, name, http, pg }) => {
      return { http, pg, root: join(config.stack.dataDir, `questdb-${shard}-${name}`, "questdb") };
    }),
    storeEnv: {
      DATABASE_URL: own.postgres.url,
      QUESTDB_HTTP: questdbHttp,
      QUESTDB_PG: questdbPg,
      TEMPORAL_ADDRESS: own.temporal.address,
      SHARDS: String(stack.env["SHARDS"]),
      KAFKA_BROKERS: String(stack.env["KAFKA_BROKERS"]),
    },
    databaseUrl: own.postgres.url,
    temporalAddress: own.temporal.address,
    temporalUi: own.temporal.uiUrl,
    dataDir: config.stack.dataDir,
    cacheDir: config.stack.cacheDir,
    credentialsDir: api.stack.dataDir,
    stop: () => stack.stop(),
  };
}
