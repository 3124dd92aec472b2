/**
 * The service with stores that hold one website and answer immediately. With the argument `whole` the real handlers run on them, with
 * `gateway` handlers with prepared answers.
 */

import { RateLimits } from "../../src/access/rateLimit/rateLimits.ts";
import { sessionsVersion } from "../../src/aggregation/sessionsVersion.ts";
import { readConfig } from "../../src/config.ts";
import { Health } from "../../src/health/health.ts";
import type { App } from "../../src/main/compose.ts";
import { handlers } from "../../src/main/handlers.ts";
import { createServer } from "../../src/main/server.ts";
import { createLog } from "../../src/observability/log.ts";
import { createMetrics } from "../../src/observability/metrics.ts";
import type { QuestdbReader } from "../../src/store/questdb/questdbReader.ts";
import { oneNode } from "../../test/kit/stores/oneNode.ts";
import { instantHandlers } from "./instantHandlers.ts";
import { storedPages, websiteId } from "./payload.ts";
import { reportTo } from "./serverProcess.ts";

const organizationId = "organization";
const website = {
  id: websiteId,
  clientId: "client",
  organizationId,
  name: "Benchmark",
  domain: "example.com",
  timezone: "UTC",
  publicAccess: false,
  isLinkTarget: false,
  paths: { trailingSlash: "keep" as const, queryParameters: [] },
  rulesText: "{}",
  privacy: { place: "city", ids: "sent", audienceOnly: false, smallestGroup: 10 } as const,
  createdAtMs: 0,
  deletedAtMs: null,
};
const caller = {
  kind: "key" as const,
  keyId: "key",
  organizationId,
  scopes: new Set(["read:data"]),
  websiteIds: undefined,
};
const pages = new Map([100, 10_000].map((count) => [count, storedPages(count)]));

// Calls are counted, and none is over the limit.
const config = readConfig({ PORT: "0", LOG_LEVEL: "warn", RATE_LIMIT_QUERY: "1000000000" });
const reader: Pick<QuestdbReader, "read" | "readEach"> = {
  // The limit is the statement's last whole number below 100,000; the others are times.
  read: async (_sql, values) =>
    values.map((value) => pages.get(Number(value))).find((rows) => rows !== undefined) ?? [],
  readEach: () => Promise.reject(new Error("no call of the benchmark streams rows")),
};
// All days are known, and stored sessions are up to date.
const known = { reason: null, firstMs: 0, keptDays: 36_500, fromMs: null, untilMs: null, version: sessionsVersion };
const salt = Buffer.alloc(32, 1);
const stores = {
  postgres: { query: async () => ({ rows: [known] }) } as never,
  websites: { find: async () => website },
  keys: { cached: () => caller, find: async () => caller },
  rateLimits: new RateLimits({ query: async () => ({ rows: [] }) } as never, config.rateLimits.windowMs),
  largeWebsites: { shareOf: () => 0 },
  rows: { write: async () => undefined },
  salt: { inTime: () => Promise.resolve(salt) },
  questdb: oneNode(reader),
} satisfies StandIns;
// The stand-ins have what these calls use; the rest of the stores is not touched. Calls that use more of them fail, and with them the bench.
const app = { config, log: createLog(config.log, "bench"), metrics: createMetrics(), ...stores } as unknown as App;

const used = process.argv[2] === "whole" ? handlers : instantHandlers;
const server = createServer(app, used, new Health("api", [], app));
reportTo(process, await server.listen());

/** Members of the stores that the calls use. A change of their types fails here. */
type StandIns = {
  readonly postgres: Pick<App["postgres"], "query">;
  readonly websites: Pick<App["websites"], "find">;
  readonly keys: Pick<App["keys"], "cached" | "find">;
  readonly rateLimits: App["rateLimits"];
  readonly largeWebsites: Pick<App["largeWebsites"], "shareOf">;
  readonly rows: Pick<App["rows"], "write">;
  readonly salt: Pick<App["salt"], "inTime">;
  readonly questdb: Pick<App["questdb"], "of" | "nodeOf" | "nodeOfEach">;
};
