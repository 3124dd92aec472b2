import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { correctSessions } from "../../../src/aggregation/storedSessions.ts";
import { readConfig } from "../../../src/config.ts";
import { eraseExpiredRange } from "../../../src/lifecycle/retention/eraseExpiredRange.ts";
import { insertRun } from "../../../src/lifecycle/retention/retentionRuns.ts";
import type { QuestdbReader } from "../../../src/store/questdb/questdbReader.ts";
import type { TableRow } from "../../../src/store/questdb/tables.ts";
import { whenApplied } from "../../../src/store/questdb/whenApplied.ts";
import { correctNow, dayOf } from "../../kit/calls/erasureCalls.ts";
import { send } from "../../kit/calls/request.ts";
import { createWebsite, type TestWebsite } from "../../kit/calls/website.ts";
import { noonDaysAgo } from "../../kit/stores/noonDaysAgo.ts";
import { openQuestdb, openRowWriter } from "../../kit/stores/testQuestdb.ts";

const lookout = inject("lookout");
const config = readConfig({
  DATABASE_URL: lookout.databaseUrl,
  QUESTDB_HTTP: lookout.questdbHttp,
  QUESTDB_PG: lookout.questdbPg,
});
const { signal } = new AbortController();
const minuteMs = 60_000;

let postgres: pg.Pool;
let questdb: QuestdbReader;
let rows: ReturnType<typeof openRowWriter>;
beforeAll(() => {
  postgres = new pg.Pool({ connectionString: config.postgres.url, max: 4 });
  questdb = openQuestdb();
  rows = openRowWriter();
});
afterAll(async () => {
  await rows.close();
  await Promise.all([questdb.close(), postgres.end()]);
});

const setPeriods = (websiteId: string, rawDays: number, customDays: number) =>
  postgres.query("UPDATE websites SET raw_events_days = $2, custom_events_days = $3 WHERE id = $1", [
    websiteId,
    rawDays,
    customDays,
  ]);

/** A website whose visitor viewed a page at noon some days ago and sent a custom event ten minutes later, with its stored sessions. */
async function websiteWithVisits(ages: readonly number[]): Promise<TestWebsite> {
  const website = await createWebsite();
  const { websiteId } = website;
  await setPeriods(websiteId, 365, 365);
  const written = ages.flatMap((age, index): TableRow[] =>
    ["page_view", "custom"].map((event_type, offset) => ({
      table: "events",
      tsUs: (noonDaysAgo(age) + offset * 10 * minuteMs) * 1_000,
      values: {
        website_id: websiteId,
        event_key: 2 * index + offset + 1,
        event_type,
        name: event_type,
        path: "/",
        session_key: index + 1,
        visitor_key: index + 1,
      },
    })),
  );
  await rows.write(written);
  await whenApplied(questdb, ["events"], signal);
  for (const age of ages) await correctSessions({ questdb, rows }, websiteId, dayOf(noonDaysAgo(age)), signal);
  return website;
}

/** Erases the events of a day that are past their retention, as a run does, and nothing else. */
async function eraseEvents({ websiteId }: TestWebsite, age: number): Promise<void> {
  const id = randomUUID();
  await insertRun(postgres, { id, dueMs: Date.now(), websiteId });
  const stores = { postgres, questdb, config };
  await eraseExpiredRange(stores, id, { nowMs: Date.now(), websiteId }, "events", dayOf(noonDaysAgo(age)), signal);
}

async function sessionsOf({ websiteId, apiKey }: TestWebsite): Promise<unknown> {
  const body = { parameters: ["summary_metrics"], startDate: dayOf(noonDaysAgo(80)), endDate: dayOf(noonDaysAgo(1)) };
  const answer = await send("POST", `/v1/query?website_id=${websiteId}`, { body, apiKey });
  expect(answer.status).toBe(200);
  return (answer.body as { data: { data: { sessions: number }[] }[] }).data[0]?.data[0]?.sessions;
}

test("8: a session whose custom events were erased before its page views is recomputed from the rest, and stays a session", async () => {
  const website = await websiteWithVisits([40]);
  const { websiteId } = website;
  const record = { website_id: websiteId, page: "/", total_views: 7, unique_visitors: 3 };
  const midnightUs = (noonDaysAgo(40) - 720 * minuteMs) * 1_000;
  await rows.write([{ table: "daily_aggregates", tsUs: midnightUs, values: record }]);
  await setPeriods(websiteId, 365, 30);
  await eraseEvents(website, 40);
  await correctNow();
  const stored = async () =>
    await questdb.read(
      "SELECT page_count, last_activity_ms FROM sessions WHERE website_id = $1 AND last_activity_ms != null",
      [websiteId],
    );
  await expect.poll(stored).toEqual([{ page_count: 1, last_activity_ms: noonDaysAgo(40) }]);
  expect(await sessionsOf(website)).toBe(1);
  const records = await questdb.read("SELECT total_views FROM daily_aggregates WHERE website_id = $1", [websiteId]);
  expect(records, "aggregates are kept longer").toEqual([{ total_views: 7 }]);
});

test("8: an answer has no session of erased events, even if their period was lengthened before their sessions were erased", async () => {
  const website = await websiteWithVisits([40, 35, 5]);
  expect(await sessionsOf(website)).toBe(3);
  await setPeriods(website.websiteId, 38, 38);
  await eraseEvents(website, 40);
  await setPeriods(website.websiteId, 365, 365);
  expect(await sessionsOf(website)).toBe(2);
});

test("8: pending shorter periods change no answer, and applied ones leave nothing that is older", async () => {
  const website = await websiteWithVisits([40, 5]);
  const retention = { rawEventsDays: 30, customEventsDays: 30 };
  const body = { id: website.websiteId, retention };
  const pending = await send("POST", "/websites/retention", { body, apiKey: website.apiKey });
  expect(pending).toMatchObject({ status: 200, body: { pendingRetention: { retention } } });
  expect(await sessionsOf(website)).toBe(2);
  await setPeriods(website.websiteId, 30, 30);
  await eraseEvents(website, 40);
  expect(await sessionsOf(website)).toBe(1);
});
