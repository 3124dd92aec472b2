import { randomUUID } from "node:crypto";
import pg from "pg";
import { pino } from "pino";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { correctDay } from "../../../src/aggregation/correctTouchedDays.ts";
import { readConfig } from "../../../src/config.ts";
import { type FigureApp, makeDailyFigures } from "../../../src/query/daily/makeDailyFigures.ts";
import type { QuestdbReader } from "../../../src/store/questdb/questdbReader.ts";
import { whenApplied } from "../../../src/store/questdb/whenApplied.ts";
import { dayMs, startOfUtcDay, utcDayOf } from "../../../src/time/utcDay.ts";
import { send } from "../../kit/calls/request.ts";
import { createKey, createWebsite, type TestWebsite } from "../../kit/calls/website.ts";
import { seededRandom } from "../../kit/random/seededRandom.ts";
import { markTouched } from "../../kit/stores/markTouched.ts";
import { insertRows } from "../../kit/stores/sampleRows.ts";
import { openQuestdb, openRowWriter } from "../../kit/stores/testQuestdb.ts";
import { randomVisits } from "../sessions/randomVisits.ts";

type Rows = readonly Record<string, unknown>[];
type Answer = {
  readonly data: readonly {
    readonly success: boolean;
    readonly data: Rows;
    readonly comparison?: { readonly complete: boolean; readonly data: Rows };
  }[];
  readonly meta: { readonly unknown: readonly unknown[]; readonly past_retention?: unknown };
};
type Filter = { readonly field: string; readonly op: string; readonly value: string | readonly string[] };

const { signal } = new AbortController();
const today = startOfUtcDay(utcDayOf(Date.now()));
/** The UTC day so many days before today. */
const dayAgo = (days: number) => utcDayOf(today - days * dayMs);

/** Events of these days ago are kept raw at the end; those before are answered from daily figures. */
const oldestDay = 12;
const rawDays = 5;

let questdb: QuestdbReader;
let rows: ReturnType<typeof openRowWriter>;
let pool: pg.Pool;
let website: TestWebsite;
let app: FigureApp;
/** The answers about each day by itself, by type and filters, while all events were kept. */
const byDay = new Map<string, Rows[]>();

const questions: readonly {
  readonly type: string;
  readonly keys: readonly string[];
  readonly filters?: readonly Filter[];
}[] = [
  { type: "summary_metrics", keys: [] },
  { type: "summary_metrics", keys: [], filters: [{ field: "country", op: "eq", value: "DE" }] },
  { type: "summary_metrics", keys: [], filters: [{ field: "utm_campaign", op: "eq", value: "spring" }] },
  { type: "session_metrics", keys: [] },
  { type: "top_pages", keys: ["path"] },
  { type: "top_pages", keys: ["path"], filters: [{ field: "path", op: "starts_with", value: "/p" }] },
  { type: "entry_pages", keys: ["path"] },
  { type: "exit_pages", keys: ["path"] },
  { type: "referrers", keys: ["name"] },
  { type: "traffic_sources", keys: ["name"] },
  { type: "utm_campaigns", keys: ["name"] },
  { type: "countries", keys: ["country"] },
  { type: "countries", keys: ["country"], filters: [{ field: "country", op: "ne", value: "DE" }] },
  { type: "device_types", keys: ["name"] },
  { type: "browser_name", keys: ["name"] },
  { type: "sessions_by_device", keys: ["name"] },
  { type: "custom_events", keys: ["name"] },
  { type: "goal_conversions", keys: ["goal"] },
];

/** Of the website. */
const goals = [
  { kind: "page", value: "/pricing" },
  { kind: "event", value: "buy", revenue: { property: "amount" } },
  { kind: "event", value: "never" },
];

async function ask(body: Record<string, unknown>, query = ""): Promise<Answer> {
  const { websiteId, apiKey } = website;
  const answer = await send("POST", `/v1/query?website_id=${websiteId}${query}`, { apiKey, body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body as Answer;
}

async function setRawDays(days: number): Promise<void> {
  await pool.query("UPDATE websites SET raw_events_days = $2, custom_events_days = $2 WHERE id = $1", [
    website.websiteId,
    days,
  ]);
}

beforeAll(async () => {
  const { databaseUrl, questdbHttp, questdbPg } = inject("lookout");
  const config = readConfig({ DATABASE_URL: databaseUrl, QUESTDB_HTTP: questdbHttp, QUESTDB_PG: questdbPg });
  pool = new pg.Pool({ connectionString: databaseUrl, max: 4 });
  questdb = openQuestdb();
  rows = openRowWriter();
  website = await createWebsite({ firstEventOn: dayAgo(oldestDay) });
  await setRawDays(3_650);
  const apiKey = await createKey({ organizationId: website.organizationId, scopes: ["update"] });
  const own = { id: website.websiteId, goals: { goals, funnel: [] } };
  expect(await send("POST", "/websites/update", { apiKey, body: own })).toMatchObject({ status: 200 });
  const visits = randomVisits(seededRandom(11), {
    fromMs: today - oldestDay * dayMs,
    days: oldestDay,
    keys: 250,
    servers: 0,
  });
  await markTouched(
    website.websiteId,
    visits.map(({ row }) => row.tsMs),
  );
  for (const table of ["events", "outgoing_links"] as const) {
    const ofTable = visits.filter((visit) => visit.table === table).map(({ row }) => row);
    await insertRows(questdb, table, ofTable, website.websiteId);
  }
  await whenApplied(questdb, ["events", "outgoing_links"], signal);
  app = {
    postgres: pool,
    config: { ...config, retention: { ...config.retention, rawEventDays: 3_650 } },
    log: pino({ level: "silent" }),
  };
  for (let ago = oldestDay; ago > 0; ago -= 1) {
    await correctDay({ questdb, rows }, website.websiteId, dayAgo(ago), signal);
    await whenApplied(questdb, ["sessions"], signal);
  }
  for (let ago = oldestDay; ago > 0; ago -= 1)
    await makeDailyFigures(app, { questdb, rows }, website.websiteId, dayAgo(ago), signal);
  await whenApplied(questdb, ["daily_figures"], signal);
  const byFilters = Map.groupBy(questions, ({ filters = [] }) => JSON.stringify(filters));
  for (const [filters, asked] of byFilters) {
    for (const { type } of asked) byDay.set(JSON.stringify([type, JSON.parse(filters)]), []);
    for (let ago = oldestDay; ago >= 0; ago -= 1) {
      const range = { startDate: dayAgo(ago), endDate: dayAgo(ago), limit: 1_000 };
      const answer = await ask({ parameters: asked.map(({ type }) => type), ...range, filters: JSON.parse(filters) });
      for (const [index, { type }] of asked.entries())
        byDay.get(JSON.stringify([type, JSON.parse(filters)]))?.push(answer.data[index]?.data ?? []);
    }
  }
  await setRawDays(rawDays);
  for (const table of ["events", "outgoing_links", "sessions"])
    await questdb.change(`UPDATE ${table} SET website_id = $1 WHERE website_id = $2 AND ts < '${dayAgo(rawDays)}'`, [
      randomUUID(),
      website.websiteId,
    ]);
  await whenApplied(questdb, ["events", "outgoing_links", "sessions"], signal);
  await pool.query("UPDATE websites SET figures_from = $2 WHERE id = $1", [website.websiteId, dayAgo(oldestDay)]);
}, 300_000);

afterAll(async () => {
  await rows.close();
  await questdb.close();
  await pool.end();
});

/** Counts that add up over days. */
const isCount = (name: string) =>
  /^(pageviews|views|visitors|unique_visitors|unique_users|sessions|total_sessions|total_events|count|completions)$/.test(
    name,
  );

/** The sums of the days by the keys, largest first where that decides. */
function sumsOf(days: readonly Rows[], keys: readonly string[]): Map<string, Map<string, number>> {
  const sums = new Map<string, Map<string, number>>();
  for (const row of days.flat()) {
    const key = keys.map((name) => String(row[name])).join();
    const sum = sums.get(key) ?? new Map<string, number>();
    sums.set(key, sum);
    for (const [name, value] of Object.entries(row))
      if (isCount(name)) sum.set(name, (sum.get(name) ?? 0) + Number(value ?? 0));
  }
  return sums;
}

test.each(questions)(
  "8: $type past the retention of raw events is the sum of its days, $filters",
  async ({ type, keys, filters = [] }) => {
    const body = { parameters: [type], startDate: dayAgo(oldestDay), endDate: dayAgo(0), filters, limit: 1_000 };
    const answer = await ask(body);
    expect(answer.data[0]?.success).toBe(true);
    expect(answer.meta.past_retention).toEqual({ daily: [type], raw: [], from: dayAgo(oldestDay) });
    // Today goes on.
    expect(answer.meta.unknown).toMatchObject([{ reason: "future" }]);
    const found = sumsOf([answer.data[0]?.data ?? []], keys);
    const expected = sumsOf(byDay.get(JSON.stringify([type, filters])) ?? [], keys);
    expect(expected.size).toBeGreaterThan(0);
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
  },
);

test("8: goals past the retention of raw events have a rate, and null for what daily figures do not tell", async () => {
  const range = { startDate: dayAgo(oldestDay), endDate: dayAgo(0) };
  const own = (await ask({ parameters: ["goal_conversions"], ...range })).data[0]?.data ?? [];
  for (const { visitors, conversions, conversion_rate: rate } of own)
    expect(rate).toBeCloseTo((100 * Number(conversions)) / Number(visitors), 1);
  expect(own.map(({ revenue }) => revenue)).toEqual([[], null, []]);
  // Visitors of the event itself, as in tables of pages and events.
  const tables = (await ask({ parameters: ["top_pages", "custom_events"], ...range, limit: 1_000 })).data;
  const [ofPage, ofEvent] = tables.map(({ data }) => data.find(({ name }) => name === "/pricing" || name === "buy"));
  expect(own.map(({ conversions }) => conversions)).toEqual([ofPage?.["visitors"], ofEvent?.["visitors"], 0]);

  const views = (await ask({ parameters: ["top_pages"], ...range, limit: 1_000 })).data[0]?.data ?? [];
  const completions = views
    .filter(({ path }) => String(path).startsWith("/p"))
    .reduce((sum, { pageviews }) => sum + Number(pageviews), 0);
  const ofPages = await ask({
    parameters: ["goal_conversions"],
    ...range,
    goal: { name: "p", page: { path: "/p", op: "starts_with" } },
  });
  expect(ofPages.data[0]?.data).toMatchObject([{ completions, conversions: null, conversion_rate: null }]);
  expect(completions).toBeGreaterThan(0);

  const split = { name: "goal_conversions", split_by: "country" };
  const filters = [{ field: "country", op: "eq", value: "DE" }];
  for (const asked of [{ parameters: [split] }, { parameters: ["goal_conversions"], filters }])
    expect((await ask({ ...asked, ...range })).meta.past_retention).toMatchObject({ raw: ["goal_conversions"] });
});

test("8: rates are those of all days, medians past the retention of raw events are unknown", async () => {
  const answer = await ask({ parameters: ["summary_metrics"], startDate: dayAgo(oldestDay), endDate: dayAgo(0) });
  const [row] = answer.data[0]?.data ?? [];
  const days = (byDay.get(JSON.stringify(["summary_metrics", []])) ?? []).flat();
  const sessions = days.reduce((sum, day) => sum + Number(day["sessions"]), 0);
  const mean = (name: string) =>
    days.reduce((sum, day) => sum + Number(day[name] ?? 0) * Number(day["sessions"]), 0) / sessions;
  for (const name of ["bounce_rate", "avg_session_duration", "pages_per_session"])
    expect(row?.[name], name).toBeCloseTo(mean(name), 0);
  expect(row).toHaveProperty("median_session_duration", null);
});

test("8: a series past the retention of raw events has the figures of each UTC day, named as the days of the zone", async () => {
  const days = byDay.get(JSON.stringify(["summary_metrics", []])) ?? [];
  for (const zone of ["UTC", "America/Los_Angeles", "Pacific/Auckland"]) {
    const answer = await ask(
      { parameters: ["events_by_date"], startDate: dayAgo(oldestDay - 1), endDate: dayAgo(2) },
      `&timezone=${zone}`,
    );
    const views = answer.data[0]?.data.map(({ date, pageviews }) => [date, pageviews]);
    const expected = days.slice(1, -2).map((day, index) => [dayAgo(oldestDay - 1 - index), day[0]?.["pageviews"] ?? 0]);
    expect(views, zone).toEqual(expected);
  }
});

test("8: what daily figures cannot answer is unknown and named", async () => {
  const range = { startDate: dayAgo(oldestDay), endDate: dayAgo(0) };
  const parameters = [
    "top_pages",
    "cities",
    {
      name: "events_by_date",
      id: "hourly",
      granularity: "hourly",
      start_date: dayAgo(rawDays + 2),
      end_date: dayAgo(rawDays + 1),
    },
  ];
  const answer = await ask({ parameters, ...range });
  expect(answer.meta.past_retention).toEqual({
    daily: ["top_pages"],
    raw: ["cities", "hourly"],
    from: dayAgo(oldestDay),
  });
  expect(answer.meta.unknown).toMatchObject([{ reason: "retention" }, { reason: "future" }]);
  const filters = [{ field: "country", op: "eq", value: "DE" }];
  expect((await ask({ parameters: ["top_pages"], filters, ...range })).meta.past_retention).toMatchObject({
    raw: ["top_pages"],
  });
});

test("8: making the figures of the oldest kept day again counts no visit that began on the day before", async () => {
  const { websiteId } = website;
  expect(await makeDailyFigures(app, { questdb, rows }, websiteId, dayAgo(rawDays), signal)).toBe(0);
  expect(await makeDailyFigures(app, { questdb, rows }, websiteId, dayAgo(rawDays - 1), signal)).toBe(0);
});

test("8: days before the first daily figures stay unknown", async () => {
  const answer = await ask({
    parameters: ["events_by_date"],
    startDate: dayAgo(oldestDay + 2),
    endDate: dayAgo(oldestDay),
  });
  expect(answer.data[0]?.data.map(({ pageviews }) => pageviews === null)).toEqual([true, true, false]);
  expect(answer.meta.unknown).toMatchObject([{ reason: "not_started" }]);
});

test("8: a range of raw events is compared with daily figures", async () => {
  const answer = await ask({
    parameters: ["utm_campaigns", "summary_metrics"],
    startDate: dayAgo(4),
    endDate: dayAgo(1),
    compare: { startDate: dayAgo(10), endDate: dayAgo(7) },
  });
  const days = byDay.get(JSON.stringify(["summary_metrics", []])) ?? [];
  const sessions = days.slice(oldestDay - 10, oldestDay - 6).reduce((sum, [day]) => sum + Number(day?.["sessions"]), 0);
  expect(answer.data[1]?.comparison).toMatchObject({ complete: true, data: [{ sessions }] });
  expect(answer.data[0]?.comparison?.data).toHaveLength(answer.data[0]?.data.length ?? -1);
});
