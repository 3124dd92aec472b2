import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { readConfig } from "../../../src/config.ts";
import { eraseExpiredRange } from "../../../src/lifecycle/retention/eraseExpiredRange.ts";
import { findExpiredDays } from "../../../src/lifecycle/retention/findExpiredDays.ts";
import { finishRun, insertRun } from "../../../src/lifecycle/retention/retentionRuns.ts";
import type { QuestdbReader } from "../../../src/store/questdb/questdbReader.ts";
import { tableNames } from "../../../src/store/questdb/tables.ts";
import { whenApplied } from "../../../src/store/questdb/whenApplied.ts";
import { send } from "../../kit/calls/request.ts";
import { createWebsite, type TestWebsite } from "../../kit/calls/website.ts";
import { dayMs, kindNames, readRows, shown, storedRow, type TestRow } from "../../kit/stores/retentionRows.ts";
import { openQuestdb, openRowWriter } from "../../kit/stores/testQuestdb.ts";

// So long that nothing of other tests is ever past its retention.
const serviceDays = 3_650;
const lookout = inject("lookout");
const config = readConfig({
  DATABASE_URL: lookout.databaseUrl,
  QUESTDB_HTTP: lookout.questdbHttp,
  QUESTDB_PG: lookout.questdbPg,
  ...Object.fromEntries(
    ["RAW_EVENT", "AGGREGATED", "PERFORMANCE", "CUSTOM_EVENT"].map((name) => [
      `RETENTION_${name}_DAYS`,
      String(serviceDays),
    ]),
  ),
});
const signal = new AbortController().signal;

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

type Days = { raw: number; custom: number; performance: number; aggregated: number };

async function makeWebsite(days: Days | undefined, isDeleted = false): Promise<TestWebsite> {
  const website = await createWebsite({ deleted: isDeleted });
  if (days !== undefined)
    await postgres.query(
      "UPDATE websites SET raw_events_days = $2, custom_events_days = $3, performance_days = $4, aggregated_days = $5 WHERE id = $1",
      [website.websiteId, days.raw, days.custom, days.performance, days.aggregated],
    );
  return website;
}

async function store(written: readonly TestRow[]): Promise<void> {
  await rows.write(written.map(storedRow));
  for (const table of tableNames) await whenApplied(questdb, [table], signal);
}

/** A run as the workflow does it; each day is repeated a given number of times, as if workers had been killed before they could report. */
async function run(nowMs: number, timesEach = 1): Promise<{ id: string; erased: Record<string, number> }> {
  const id = randomUUID();
  const stores = { postgres, questdb, config };
  await insertRun(postgres, { id, dueMs: nowMs });
  for (const { table, days } of await findExpiredDays(stores, { nowMs }, signal))
    for (const day of days)
      for (let time = 0; time < timesEach; time++) await eraseExpiredRange(stores, id, { nowMs }, table, day, signal);
  return { id, erased: await finishRun(postgres, id) };
}

/** The period of each kind as the docs say. */
function daysOf(kind: string, days: Days): number {
  if (kind === "custom_events") return days.custom;
  if (kind === "performance") return days.performance;
  return ["aggregated", "excluded", "link_clicks", "uptime"].includes(kind) ? days.aggregated : days.raw;
}

/** Whether a row is within its period, counted in days back from today's midnight. */
function isKept(row: TestRow, days: Days, nowMs: number): boolean {
  const oldest = new Date(nowMs);
  oldest.setUTCHours(0, 0, 0, 0);
  oldest.setUTCDate(oldest.getUTCDate() - daysOf(row.kind, days));
  return row.tsUs >= oldest.getTime() * 1_000;
}

/** Rows of each kind on both sides of the midnight before which its data is erased, and now. */
function rowsAround(websiteId: string, days: Days, nowMs: number): TestRow[] {
  const today = new Date(nowMs).setUTCHours(0, 0, 0, 0);
  return kindNames.flatMap((kind) => {
    const cutoffMs = today - daysOf(kind, days) * dayMs;
    const timesMs = [cutoffMs - 1, cutoffMs, nowMs];
    return timesMs.map((ms) => ({ websiteId, kind, tsUs: ms * 1_000 }));
  });
}

describe("8 a daily run of the retention", () => {
  const nowMs = Date.now();
  const ofShop: Days = { raw: 30, custom: 60, performance: 10, aggregated: 100 };
  const ofBlog: Days = { raw: 45, custom: 20, performance: 30, aggregated: 31 };
  const ofService: Days = { raw: serviceDays, custom: serviceDays, performance: serviceDays, aggregated: serviceDays };

  it("erases rows past each website's own periods and nothing else, even if each step runs twice; a second run erases nothing", async () => {
    const shop = await makeWebsite(ofShop);
    const blog = await makeWebsite(ofBlog);
    const other = await makeWebsite(undefined);
    const deleted = await makeWebsite(ofShop, true);
    const unknown = randomUUID();
    const periods = new Map([
      [shop.websiteId, ofShop],
      [blog.websiteId, ofBlog],
      [other.websiteId, ofService],
    ]);
    const ids = [...periods.keys(), deleted.websiteId, unknown];
    // All have rows on the same days.
    const written = ids.flatMap((id) => [...rowsAround(id, ofShop, nowMs), ...rowsAround(id, ofBlog, nowMs)]);
    await store(written);
    const remaining = written.filter((row) => {
      const days = periods.get(row.websiteId ?? "");
      return days === undefined || isKept(row, days, nowMs);
    });
    const asTexts = (kept: readonly TestRow[]) => [...new Set(kept.map(shown))].sort();
    expect(await readRows(questdb, ids)).toEqual(asTexts(written));

    const first = await run(nowMs, 2);
    expect(await readRows(questdb, ids)).toEqual(asTexts(remaining));

    const gone = asTexts(written).filter((text) => !asTexts(remaining).includes(text));
    const count = (id: string) => {
      const kinds = gone.filter((text) => text.startsWith(id)).map((text) => text.split(" ")[1] ?? "");
      return Object.fromEntries(kindNames.map((kind) => [kind, kinds.filter((each) => each === kind).length]));
    };
    for (const website of [shop, blog]) {
      const { body } = await listRuns(website);
      expect(body.runs[0]).toEqual({
        dueAt: instant,
        startedAt: instant,
        finishedAt: instant,
        erased: count(website.websiteId),
      });
    }
    expect((await listRuns(other)).body.runs[0]?.erased).toEqual({});
    expect(first.erased).toMatchObject({ events: expect.any(Number) });

    // Websites of other tests may have something to erase.
    const second = await run(nowMs);
    const again = "SELECT FROM retention_erased WHERE run_id = $1 AND website_id = ANY($2)";
    expect((await postgres.query(again, [second.id, ids])).rowCount).toBe(0);
    expect(await readRows(questdb, ids)).toEqual(asTexts(remaining));
    expect((await listRuns(shop)).body.runs.slice(0, 2).map(({ erased }) => erased)).toEqual([
      {},
      count(shop.websiteId),
    ]);
  });

  it("catches up on three missed days in one run", async () => {
    const website = await makeWebsite(ofShop);
    const lastRunMs = nowMs - 4 * dayMs;
    const kinds = ["events", "custom_events", "sessions", "aggregated"];
    const written = [lastRunMs, nowMs]
      .flatMap((ms) => rowsAround(website.websiteId, ofShop, ms))
      .filter(({ kind }) => kinds.includes(kind));
    await store(written);
    const left = (atMs: number) => [...new Set(written.filter((row) => isKept(row, ofShop, atMs)).map(shown))].sort();
    await run(lastRunMs);
    expect(await readRows(questdb, [website.websiteId])).toEqual(left(lastRunMs));
    await run(nowMs);
    expect(await readRows(questdb, [website.websiteId])).toEqual(left(nowMs));
    expect(left(nowMs).length).toBeLessThan(left(lastRunMs).length);
  });

  it("erases checks day by day and drops their weekly partition with its last day", async () => {
    // So long ago that no other test has checks in that week.
    const keptDays = 2_000;
    const website = await makeWebsite({ ...ofShop, aggregated: keptDays });
    const monday = new Date(nowMs - (keptDays + 14) * dayMs);
    monday.setUTCHours(12, 0, 0, 0);
    monday.setUTCDate(monday.getUTCDate() - ((monday.getUTCDay() + 6) % 7));
    const written = Array.from({ length: 7 }, (_, day) => {
      const tsUs = (monday.getTime() + day * dayMs) * 1_000;
      return { websiteId: website.websiteId, kind: "uptime", tsUs };
    });
    await store(written);
    const weeks = async () => {
      const times = `SELECT name FROM table_partitions('uptime_checks') WHERE minTimestamp <= $1 AND maxTimestamp >= $1`;
      return (await questdb.read(times, [monday.toISOString()])).length;
    };
    expect(await weeks()).toBe(1);
    for (const [day] of written.entries()) {
      await run(monday.getTime() + (keptDays + day + 1) * dayMs);
      expect(await readRows(questdb, [website.websiteId])).toEqual(
        written
          .slice(day + 1)
          .map(shown)
          .sort(),
      );
      expect(await weeks()).toBe(day < 6 ? 1 : 0);
    }
  });

  it("drops the whole partition of a day without other rows, also with rows of no website", async () => {
    const longAgoMs = new Date(nowMs - (serviceDays + 40) * dayMs).setUTCHours(12, 0, 0, 0);
    const keptMs = longAgoMs + 41 * dayMs;
    const kinds = ["llm_calls", "link_clicks"];
    const at = (ms: number) => kinds.map((kind): TestRow => ({ websiteId: undefined, kind, tsUs: ms * 1_000 }));
    await store([...at(longAgoMs), ...at(keptMs)]);
    const partitions = async (table: string) => {
      const found = await questdb.read(`SELECT name FROM table_partitions('${table}')`, []);
      return found.map(({ name }) => String(name));
    };
    const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
    for (const table of kinds) expect(await partitions(table)).toContain(day(longAgoMs));
    const { erased } = await run(nowMs);
    for (const table of kinds) {
      expect(await partitions(table)).not.toContain(day(longAgoMs));
      expect(await partitions(table)).toContain(day(keptMs));
    }
    expect(erased).toMatchObject({ llm_calls: 1, link_clicks: 1 });
  });
});

const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

type Runs = { runs: { erased: Record<string, number> }[] };

async function listRuns({ websiteId, apiKey }: TestWebsite): Promise<{ body: Runs }> {
  const answer = await send("POST", "/websites/retention/runs", { apiKey, body: { id: websiteId } });
  expect(answer.status).toBe(200);
  return { body: answer.body as Runs };
}
