import { afterEach, expect, inject, test } from "vitest";
import { KeyDirectory } from "../../src/access/keyDirectory.ts";
import { WebsiteDirectory } from "../../src/access/websiteDirectory.ts";
import { readConfig } from "../../src/config.ts";
import { handlers } from "../../src/handlers.ts";
import { createLog } from "../../src/log.ts";
import { createMetrics } from "../../src/metrics.ts";
import { LargeWebsites } from "../../src/query/largeWebsites.ts";
import { EventChanges } from "../../src/query/watch/eventChanges.ts";
import { createServer } from "../../src/server.ts";
import { openPostgres } from "../../src/store/postgres.ts";
import { QuestdbReader } from "../../src/store/questdbReader.ts";
import { RowWriter } from "../../src/store/rowWriter.ts";
import { TemporalConnection } from "../../src/store/temporalConnection.ts";
import { TrackingStatuses } from "../../src/websites/trackingStatuses.ts";
import { createWebsite } from "../support/website.ts";

let stop: () => Promise<unknown> = async () => undefined;
afterEach(() => stop());

/** A second API process's worth of parts in this process, on the shared PostgreSQL, reading events from `questdbPg`. */
async function startApi(questdbPg: string): Promise<string> {
  const config = readConfig({
    PORT: "0",
    LOG_LEVEL: "silent",
    QUESTDB_PG: questdbPg,
    QUESTDB_HTTP: inject("lookout").questdbHttp,
    DATABASE_URL: inject("lookout").databaseUrl,
  });
  const log = createLog(config.log, "test");
  const metrics = createMetrics();
  const postgres = openPostgres(config.postgres, log);
  const questdb = new QuestdbReader(config.questdb);
  const rows = new RowWriter(config.questdb, metrics, log);
  const websites = new WebsiteDirectory(postgres, config.access.websiteCacheMs);
  const keys = new KeyDirectory(postgres, config.access.keyCacheMs);
  const changes = new EventChanges(questdb, config.watch.intervalMs, log);
  const largeWebsites = new LargeWebsites(questdb, log);
  const temporal = new TemporalConnection(config.temporal);
  const trackingStatuses = new TrackingStatuses(questdb, log);
  const app = {
    config,
    log,
    metrics,
    postgres,
    questdb,
    rows,
    temporal,
    changes,
    largeWebsites,
    websites,
    keys,
    trackingStatuses,
  };
  const server = createServer(app, handlers, {});
  const port = await server.listen();
  stop = async () => {
    await server.close();
    await rows.close();
    await Promise.all([postgres.end(), questdb.close(), temporal.close()]);
  };
  return `http://127.0.0.1:${port}`;
}

async function ask(baseUrl: string, filters: object[] = []) {
  const { websiteId, apiKey } = await createWebsite();
  const response = await fetch(`${baseUrl}/v1/query?website_id=${websiteId}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": apiKey },
    body: JSON.stringify({ parameters: ["page_views", "outbound_links"], preset: "today", filters }),
  });
  return { status: response.status, body: await response.json() };
}

test("7 SERVICE_UNAVAILABLE when the event store cannot be reached", async () => {
  // Port 1 is reserved (tcpmux), and nothing listens there.
  expect(await ask(await startApi("postgres://admin:quest@127.0.0.1:1/qdb"))).toEqual({
    status: 503,
    body: {
      success: false,
      error: "The event store does not answer. Try again in a few seconds",
      code: "SERVICE_UNAVAILABLE",
      requestId: expect.any(String),
    },
  });
});

test("7 rule 6: a statement that fails is that parameter's error, without its text", async () => {
  // A store that answers, but knows no such table.
  const { status, body } = await ask(await startApi(inject("lookout").databaseUrl), [
    { field: "title", op: "eq", value: "x" },
  ]);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    success: true,
    data: [
      {
        parameter: "page_views",
        success: false,
        data: [],
        error: "The query could not be executed. Try again or narrow the range",
      },
      {
        parameter: "outbound_links",
        success: false,
        data: [],
        error: expect.stringContaining('"title" is not permitted'),
      },
    ],
  });
});
