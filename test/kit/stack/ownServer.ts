import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { inject } from "vitest";
import { KeyDirectory } from "../../../src/access/keyDirectory.ts";
import { RateLimits } from "../../../src/access/rateLimit/rateLimits.ts";
import { WebsiteDirectory } from "../../../src/access/websiteDirectory.ts";
import { Accounts } from "../../../src/accounts/accounts.ts";
import type { App } from "../../../src/app.ts";
import { type Env, readConfig } from "../../../src/config.ts";
import { FileLog } from "../../../src/durableLog/fileLog.ts";
import type { ImplementedHandlers } from "../../../src/gateway/procedure.ts";
import { DailySalt } from "../../../src/ingest/facts/dailySalt.ts";
import { LinkDirectory } from "../../../src/links/follow/linkDirectory.ts";
import { PasswordAttempts } from "../../../src/links/follow/passwordAttempts.ts";
import { createLog } from "../../../src/observability/log.ts";
import { createMetrics } from "../../../src/observability/metrics.ts";
import { LargeWebsites } from "../../../src/query/sql/largeWebsites.ts";
import { EventChanges } from "../../../src/query/watch/eventChanges.ts";
import { createServer } from "../../../src/server.ts";
import { QuestdbReader } from "../../../src/store/questdb/questdbReader.ts";
import { TemporalConnection } from "../../../src/store/temporal/temporalConnection.ts";
import { DeadLetters } from "../../../src/store/write/deadLetters.ts";
import { RowLog } from "../../../src/store/write/rowLog.ts";
import { TrackingStatuses } from "../../../src/websites/trackingStatuses.ts";

export type OwnServer = { readonly port: number; readonly baseUrl: string; close(): Promise<void> };

/** The service's server in this process, on the real stores, with handlers and settings of the test's choice. */
export async function startOwnServer(handlers: ImplementedHandlers, env: Env = {}): Promise<OwnServer> {
  const { databaseUrl, questdbHttp, questdbPg, temporalAddress } = inject("lookout");
  const config = readConfig({
    PORT: "0",
    LOG_LEVEL: "fatal",
    DATABASE_URL: databaseUrl,
    QUESTDB_HTTP: questdbHttp,
    QUESTDB_PG: questdbPg,
    TEMPORAL_ADDRESS: temporalAddress,
    ...env,
  });
  const log = createLog(config.log, "test");
  const metrics = createMetrics();
  const postgres = new pg.Pool({ connectionString: config.postgres.url, max: 2 });
  const questdb = new QuestdbReader(config.questdb);
  const changes = new EventChanges(questdb, config.watch.intervalMs, log);
  const directory = await mkdtemp(join(tmpdir(), "lookout-log-"));
  const rows = new RowLog(config.questdb, metrics, log, {
    files: await FileLog.open({ ...config.durableLog, directory }, metrics, log),
    deadLetters: new DeadLetters(join(directory, "dead-letters.jsonl"), metrics, log),
    afterCommit: [changes.afterCommit],
  });
  const app: App = {
    config,
    log,
    metrics,
    postgres,
    questdb,
    rows,
    temporal: new TemporalConnection(config.temporal),
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
  const server = createServer(app, handlers, {});
  const port = await server.listen();
  return {
    port,
    baseUrl: `${config.server.tlsKeyFile ? "https" : "http"}://127.0.0.1:${port}`,
    close: async () => {
      changes.close();
      await server.close();
      await app.rows.close();
      await rm(directory, { recursive: true, force: true });
      await Promise.all([postgres.end(), app.questdb.close(), app.temporal.close()]);
    },
  };
}
