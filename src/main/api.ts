/** The API process: `npm run api`. Any number may run on the same stores. */
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { refreshCredentials } from "../access/credentialsFile.ts";
import { createFirstAccounts } from "../access/firstStart.ts";
import { recordUse } from "../apiKeys/recordUse.ts";
import { flushEvery } from "../concurrency/poll.ts";
import { retry } from "../concurrency/retry.ts";
import { listenFailure } from "../errors/startFailure.ts";
import { openHealth } from "../health/openHealth.ts";
import { NotReadyError } from "../health/storeSource.ts";
import { recordServing } from "../ingest/servingTimes.ts";
import { startOperationsServer } from "../observability/operationsServer.ts";
import { operatorAnswers } from "../observability/operatorAnswers.ts";
import { recordShards } from "../scale/shards/storeReplicas.ts";
import { openPostgres, preparePostgres } from "../store/postgres/postgres.ts";
import { prepareQuestdbTables } from "../store/questdb/questdbTables.ts";
import { watchTables } from "../store/questdb/watchTables.ts";
import { registerSearchAttributes } from "../store/temporal/registerSearchAttributes.ts";
import { deleteOldClaims } from "../store/write/claimExpiry.ts";
import { openApp } from "./compose.ts";
import { handlers } from "./handlers.ts";
import { type RunningService, runService } from "./runService.ts";
import { createServer } from "./server.ts";
import { prepareStoredSecrets } from "./storedSecrets.ts";

/** A running QuestDB creates the tables in less time. */
const tablesWaitMs = 2_000;

await runService("api", {}, run);

async function run({ config, log, stop, fail }: RunningService): Promise<void> {
  let tablesAreReady = false;
  const { app, brokers, files, reports, close } = await openApp(config, log, () => tablesAreReady);
  const { metrics, postgres, temporal } = app;
  let attributesAreReady = false;
  const tableHealth = watchTables(app.questdb, metrics, log, stop);
  const health = openHealth("api", app, {
    areTablesReady: () => tablesAreReady,
    tableHealth,
    checkTemporal: async () => {
      await temporal.checkTemporal().catch((error: unknown) => {
        // The first start builds Temporal while the API already answers.
        throw attributesAreReady ? error : new NotReadyError("temporal_unavailable", "starting");
      });
      if (!attributesAreReady)
        throw new NotReadyError("temporal_unavailable", "search attributes are not registered yet");
    },
    temporal: temporal.client,
    log: files,
    brokers: brokers?.log,
  });
  const server = createServer(app, handlers, health);
  const { host, apiPort } = config.operations;
  const operations = await startOperationsServer(
    { host, port: apiPort, setting: "API_OPERATIONS_PORT" },
    operatorAnswers(metrics, () => health.readyz()),
    log,
  );
  // Migrations, or waiting for those of another process, may take longer than a call may wait.
  const preparing = openPostgres({ url: config.postgres.url, poolSize: 1 }, log);
  try {
    await preparePostgres(preparing, log, stop, async (client) => {
      await prepareStoredSecrets(client, config, app.keyring, log);
      await createFirstAccounts(client, config);
      await recordShards(client, config.questdb.shards);
    });
  } finally {
    await preparing.end();
  }
  await reports.begin();
  void app.questdb.watch(stop);
  const preparingTables = app.questdb.nodes.map(({ settings }) => prepareQuestdbTables(settings, log, stop));
  const tables = Promise.all(preparingTables).then(() => {
    tablesAreReady = true;
  });
  // Warm today's salt.
  void app.salt.at(Date.now()).catch(() => undefined);
  // Without QuestDB events are still accepted: they wait in the log.
  await Promise.race([tables, pause(tablesWaitMs)]);
  tables.catch(fail);
  // Temporal refuses runs with unknown search attributes, and the worker may start later.
  void retry(() => registerSearchAttributes(temporal, config.temporal.namespace), {
    minWaitMs: 250,
    maxWaitMs: 5_000,
    stop,
    onRetry: (error, waitMs) => log.warn({ err: error, waitMs }, "Temporal's search attributes are not registered yet"),
  }).then(
    () => {
      attributesAreReady = true;
    },
    () => undefined,
  );
  void deleteOldClaims(postgres, log, stop);
  void recordServing(postgres, log, stop);
  const callCounts = app.rateLimits.share(log, stop);
  const keyUse = recordUse(app.keys, postgres, log, stop, config.access.keyUseMs);
  const excludedFlushed = flushEvery(
    () => app.excluded.flush(app.rows),
    config.ingest.excludedFlushMs,
    stop,
    (error) => log.warn({ err: error }, "events that are not stored could not be counted yet"),
  );
  const port = await server.listen().catch((error: unknown) => {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw listenFailure(code, config.server.host, config.server.port);
  });
  // With PORT=0 the port is known only now.
  await refreshCredentials(config, config.server.baseUrl.replace(/:0$/, `:${port}`)).catch((error: unknown) =>
    log.warn({ err: error }, "credentials.json could not be brought up to date"),
  );
  log.info({ port }, "the API is ready");
  void health.watch(stop);
  process.send?.({ ready: { port } });
  if (!stop.aborted) await once(stop, "abort");
  // Otherwise the server would wait for streams that end only with their clients.
  app.changes.close();
  await server.close();
  await Promise.all([keyUse, callCounts, excludedFlushed]);
  // Requests that were being answered when the last regular one began.
  await app.excluded.flush(app.rows).catch(() => undefined);
  await close();
  await operations.close();
}
