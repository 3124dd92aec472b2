import { randomUUID } from "node:crypto";
import { pino } from "pino";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { type Correction, correctTouchedDays, type MakeFigures } from "../../src/aggregation/correctTouchedDays.ts";
import { sessionsVersion } from "../../src/aggregation/sessionsVersion.ts";
import { readTouchedDays, touchDays } from "../../src/aggregation/touchedDayQueue.ts";
import { readConfig } from "../../src/config.ts";
import { createMetrics, type Metrics } from "../../src/observability/metrics.ts";
import { makeDailyFigures } from "../../src/query/daily/makeDailyFigures.ts";
import { whenApplied } from "../../src/store/questdb/whenApplied.ts";
import { utcDayOf } from "../../src/time/utcDay.ts";
import { send } from "../kit/calls/request.ts";
import { createWebsite, type TestWebsite } from "../kit/calls/website.ts";
import { LackingReader } from "../kit/faults/lackingReader.ts";
import { noonDaysAgo } from "../kit/stores/noonDaysAgo.ts";
import { oneNode } from "../kit/stores/oneNode.ts";
import { createDatabase, type OwnDatabase, secretsProcess } from "../kit/stores/ownDatabase.ts";
import { openRowWriter } from "../kit/stores/testQuestdb.ts";
import { readStoredRecords } from "./storedRecords.ts";

const lookout = inject("lookout");
const settleMs = 3_600_000;
const dayMs = noonDaysAgo(7);
const day = utcDayOf(dayMs);
const { signal } = new AbortController();

let database: OwnDatabase;
let questdb: LackingReader;
let rows: ReturnType<typeof openRowWriter>;
beforeAll(async () => {
  database = await createDatabase();
  await secretsProcess(database).start();
  await database.pool.query("UPDATE sessions_version SET version = $1", [sessionsVersion]);
  questdb = new LackingReader(readConfig({ QUESTDB_HTTP: lookout.questdbHttp, QUESTDB_PG: lookout.questdbPg }).questdb);
  rows = openRowWriter();
});
afterAll(async () => {
  await rows.close();
  await questdb.close();
  await database.remove();
});

/** Corrects the day of a website in a database of its own, and tells what was logged. */
async function correct({ websiteId }: TestWebsite, metrics: Metrics): Promise<{ done: Correction; log: string[] }> {
  await touchDays(database.pool, [{ websiteId, day }]);
  const log: string[] = [];
  const stores = {
    questdb: oneNode(questdb),
    records: { of: async () => ({ node: await oneNode(questdb).nodeOf(""), questdb, rows }) },
    postgres: database.pool,
    log: pino({ level: "warn" }, { write: (line: string) => void log.push(line) }),
    metrics,
  };
  const config = readConfig({});
  const { retention } = config;
  const app = { postgres: database.pool, config, log: stores.log };
  const makeFigures: MakeFigures = (...figures) => makeDailyFigures(app, ...figures);
  const done = await correctTouchedDays({ ...stores, makeFigures }, { settleMs, retention }, () => undefined, signal);
  // What was written is read next.
  await whenApplied(questdb, ["sessions", "daily_aggregates"], signal);
  return { done, log };
}

/** Three visitors with two views of a page of their own each, with stored sessions and daily records. */
async function visitedWebsite(): Promise<TestWebsite> {
  const website = await createWebsite();
  await rows.write(
    [1, 2, 3].flatMap((visitor) =>
      [0, 1].map((view) => ({
        table: "events" as const,
        tsUs: (dayMs + view * 60_000) * 1_000,
        values: {
          website_id: website.websiteId,
          event_key: visitor * 10 + view,
          event_type: "page_view",
          name: "page_view",
          path: `/${visitor}`,
          session_key: visitor,
          visitor_key: visitor,
          session_id: randomUUID(),
        },
      })),
    ),
  );
  await whenApplied(questdb, ["events"], signal);
  expect((await correct(website, createMetrics())).done).toMatchObject({ failed: 0, sessions: 3, records: 3 });
  return website;
}

async function summary({ websiteId, apiKey }: TestWebsite): Promise<unknown> {
  const body = { parameters: ["summary_metrics"], startDate: day, endDate: day };
  const answer = await send("POST", `/v1/query?website_id=${websiteId}`, { body, apiKey });
  expect(answer.status).toBe(200);
  return (answer.body as { data: { data: unknown[] }[] }).data[0]?.data[0];
}

test.each([
  ["all events of two sessions", 2],
  ["all events", 0],
])(
  "2: sessions and daily records stay as they are when one read lacks %s; the day is corrected again",
  async (_, lacksKeysFrom) => {
    const website = await visitedWebsite();
    const answer = await summary(website);
    expect(answer).toMatchObject({ sessions: 3, pageviews: 6 });
    const stored = await readStoredRecords(questdb, [website.websiteId]);
    const metrics = createMetrics();
    questdb.lacksKeysFrom = lacksKeysFrom;
    const { done, log } = await correct(website, metrics).finally(() => {
      questdb.lacksKeysFrom = undefined;
    });
    expect(done).toMatchObject({ days: 0, failed: 1 });
    expect(log.join()).toContain("two reads disagree");
    expect(await metrics.registry.metrics()).toContain("lookout_disagreeing_reads_total 1");
    expect(await readStoredRecords(questdb, [website.websiteId])).toEqual(stored);
    expect(await summary(website)).toEqual(answer);
    expect(await readTouchedDays(database.pool, settleMs, 100)).toContainEqual({ websiteId: website.websiteId, day });
    expect((await correct(website, metrics)).done).toMatchObject({ failed: 0, days: 1, sessions: 0 });
  },
);

test("2: sessions and daily records of events that are gone go away, since two reads say so", async () => {
  const website = await visitedWebsite();
  await questdb.change("UPDATE events SET website_id = $1 WHERE website_id = $2 AND session_key >= 2", [
    randomUUID(),
    website.websiteId,
  ]);
  await whenApplied(questdb, ["events"], signal);
  expect((await correct(website, createMetrics())).done).toMatchObject({ failed: 0, sessions: 2 });
  const stored = await readStoredRecords(questdb, [website.websiteId]);
  expect([stored.sessions.length, stored.aggregates.length]).toEqual([1, 1]);
  expect(await summary(website)).toMatchObject({ sessions: 1, pageviews: 2 });
});
