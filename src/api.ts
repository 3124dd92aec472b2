/** The API process: `npm run api`. Many may run on the same stores. */
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { registerSearchAttributes } from "../workflows/registerSearchAttributes.ts";
import { createFirstAccounts, refreshCredentials } from "./access/firstStart.ts";
import { KeyDirectory } from "./access/keyDirectory.ts";
import { RateLimits } from "./access/rateLimit/rateLimits.ts";
import { WebsiteDirectory } from "./access/websiteDirectory.ts";
import { Accounts } from "./accounts/accounts.ts";
import { TouchedDays } from "./aggregation/touchedDays.ts";
import { recordUse } from "./apiKeys/recordUse.ts";
import type { App } from "./app.ts";
import { retry } from "./concurrency/retry.ts";
import { ConfigError, readConfig } from "./config.ts";
import { FileLog } from "./durableLog/fileLog.ts";
import { NotReadyError } from "./gateway/http/plainPaths.ts";
import { handlers } from "./handlers.ts";
import { DailySalt } from "./ingest/facts/dailySalt.ts";
import { LogReports } from "./lifecycle/erasure/disk/logReports.ts";
import { ErasedRowGuard } from "./lifecycle/erasure/guard/erasedRowGuard.ts";
import { LinkDirectory } from "./links/follow/linkDirectory.ts";
import { PasswordAttempts } from "./links/follow/passwordAttempts.ts";
import { createLog } from "./observability/log.ts";
import { createMetrics } from "./observability/metrics.ts";
import { LargeWebsites } from "./query/sql/largeWebsites.ts";
import { EventChanges } from "./query/watch/eventChanges.ts";
import { createServer } from "./server.ts";
import { openPostgres, preparePostgres } from "./store/postgres/postgres.ts";
import { QuestdbReader } from "./store/questdb/questdbReader.ts";
import { prepareQuestdbTables } from "./store/questdb/questdbTables.ts";
import { TableHealth } from "./store/questdb/tableHealth.ts";
import { TemporalConnection } from "./store/temporal/temporalConnection.ts";
import { deleteOldClaims } from "./store/write/claimExpiry.ts";
import { DeadLetters } from "./store/write/deadLetters.ts";
import { EventClaims } from "./store/write/eventClaims.ts";
import { refuseOldDataDir } from "./store/write/oldDataDir.ts";
import { RowLog } from "./store/write/rowLog.ts";
import { TrackingStatuses } from "./websites/trackingStatuses.ts";

/** A running QuestDB creates the tables in less time. */
const tablesWaitMs = 2_000;

const config = readConfigOrExit();
const log = createLog(config.log, "api");
const stop = new AbortController();

for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => stop.abort());
// The supervisor is gone: nothing else would stop this process.
if (process.send) process.on("disconnect", () => stop.abort());

try {
  await run();
} catch (error) {
  if (!stop.signal.aborted) {
    log.fatal({ err: error }, "the API stopped");
    process.exitCode = 1;
  }
}
process.exit();

async function run(): Promise<void> {
  const metrics = createMetrics();
  const postgres = openPostgres(config.postgres, log);
  const questdb = new QuestdbReader(config.questdb);
  const claims = new EventClaims(config.postgres.url, config.questdb.commitTimeoutMs, log);
  const files = await FileLog.open(
    { ...config.durableLog, directory: config.durableLog.eventsDirectory },
    metrics,
    log,
  );
  const deadLettersPath = join(config.durableLog.eventsDirectory, "dead-letters.jsonl");
  const touchedDays = new TouchedDays(postgres);
  const changes = new EventChanges(questdb, config.watch.intervalMs, log);
  let tablesAreReady = false;
  const guard = new ErasedRowGuard(config.postgres.url, config.questdb.commitTimeoutMs, metrics, log, claims);
  const rows = new RowLog(config.questdb, metrics, log, {
    guard,
    files,
    deadLetters: new DeadLetters(deadLettersPath, metrics, log),
    isReady: () => tablesAreReady,
    // Marking comes last, since a mark counts for a limited time until the commit.
    steps: [(given) => claims.claim(given), touchedDays.beforeCommit],
    afterCommit: [touchedDays.afterCommit, changes.afterCommit],
  });
  const temporal = new TemporalConnection(config.temporal);
  const app: App = {
    config,
    log,
    metrics,
    postgres,
    questdb,
    rows,
    temporal,
    changes,
    largeWebsites: new LargeWebsites(questdb, log),
    websites: new WebsiteDirectory(postgres, config.access.websiteCacheMs),
    keys: new KeyDirectory(postgres, config.access.keyCacheMs),
    accounts: new Accounts(config, postgres, log),
    rateLimits: new RateLimits(postgres, config.rateLimits.windowMs),
    trackingStatuses: new TrackingStatuses(questdb, log),
    salt: new DailySalt(postgres),
    links: new LinkDirectory(postgres, config.links.cacheMs),
    linkPasswords: new PasswordAttempts(postgres),
  };
  let attributesAreReady = false;
  const tableHealth = new TableHealth(config.questdb, metrics, log);
  const stores = {
    questdb: async () => {
      if (!tablesAreReady) throw new Error("QuestDB's tables are not prepared yet");
      await questdb.read("SELECT 1", []);
      const suspended = tableHealth.suspendedTables;
      if (suspended.length > 0) throw new NotReadyError(`suspended: ${suspended.join(", ")}`);
    },
    postgres: async () => void (await postgres.query("SELECT 1")),
    temporal: async () => {
      await temporal.checkTemporal();
      if (!attributesAreReady) throw new NotReadyError("search attributes are not registered yet");
    },
  };
  const server = createServer(app, handlers, stores, files);
  await preparePostgres(postgres, log, stop.signal, (client) => createFirstAccounts(client, config));
  const held = {
    directory: files.directory,
    get oldestMs() {
      return rows.oldestMs;
    },
  };
  const logReports = new LogReports([held], deadLettersPath, postgres, log);
  await logReports.begin();
  const tables = prepareQuestdbTables(config.questdb, log, stop.signal).then(() => {
    tablesAreReady = true;
  });
  // Warm today's salt.
  void app.salt.at(Date.now()).catch(() => undefined);
  // Without QuestDB events are still accepted: they wait in the log.
  await Promise.race([tables, pause(tablesWaitMs)]);
  tables.catch(stopFor);
  void tableHealth.watch(stop.signal);
  // Temporal refuses runs with unknown search attributes, and the worker may start later.
  void retry(() => registerSearchAttributes(temporal, config.temporal.namespace), {
    minWaitMs: 250,
    maxWaitMs: 5_000,
    stop: stop.signal,
    onRetry: (error, waitMs) => log.warn({ err: error, waitMs }, "Temporal's search attributes are not registered yet"),
  }).then(
    () => {
      attributesAreReady = true;
    },
    () => undefined,
  );
  void deleteOldClaims(postgres, log, stop.signal);
  void app.rateLimits.share(log, stop.signal);
  const keyUse = recordUse(app.keys, postgres, log, stop.signal, config.access.keyUseMs);
  const port = await server.listen();
  // With PORT=0 the port is known only now.
  await refreshCredentials(config, config.server.baseUrl.replace(/:0$/, `:${port}`)).catch((error: unknown) =>
    log.warn({ err: error }, "credentials.json could not be brought up to date"),
  );
  log.info({ port }, "the API is ready");
  process.send?.({ ready: { port } });
  await stopped();
  log.info("the API is stopping");
  // Otherwise the server would wait for streams that end only with their clients.
  changes.close();
  await server.close();
  await rows.close();
  await logReports.end();
  await keyUse;
  await Promise.all([postgres.end(), claims.close(), guard.close(), questdb.close(), temporal.close()]);
}

/** Ends the process if its tables turn out to be unusable. */
function stopFor(error: unknown): void {
  if (stop.signal.aborted) return;
  log.fatal({ err: error }, "the API stopped");
  process.exitCode = 1;
  stop.abort();
}

function stopped(): Promise<void> {
  return new Promise((resolve) => {
    if (stop.signal.aborted) resolve();
    else stop.signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

function readConfigOrExit() {
  try {
    const read = readConfig();
    refuseOldDataDir(read.stack.dataDir);
    return read;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(error.message);
    process.exit(2);
  }
}
