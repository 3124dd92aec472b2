import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { aggregateWebsites, noProgress } from "../../src/aggregation/dailyAggregates.ts";
import { correctSessions } from "../../src/aggregation/storedSessions.ts";
import { readTouchedDays, type TouchedDay, takeTouchedDay, touchDays } from "../../src/aggregation/touchedDayQueue.ts";
import { readConfig } from "../../src/config.ts";
import { createMetrics } from "../../src/observability/metrics.ts";
import { type BoundValue, QuestdbReader, type ReadOptions, type Row } from "../../src/store/questdb/questdbReader.ts";
import { DisagreeingReadsError } from "../../src/store/questdb/secondRead.ts";
import type { TableRow } from "../../src/store/questdb/tables.ts";
import { RowWriter } from "../../src/store/write/rowWriter.ts";
import { send } from "../kit/calls/request.ts";
import { createWebsite, type TestWebsite } from "../kit/calls/website.ts";
import { FuzzClient, inParallel } from "../kit/messages/fuzzClient.ts";
import { someDays } from "../kit/random/randomEventRows.ts";
import { sized } from "../kit/random/sized.ts";
import { createGate } from "../kit/servers/gate.ts";
import { startApiProcess } from "../kit/stack/apiProcess.ts";
import { isApplied } from "../kit/stores/eventStore.ts";
import { noonDaysAgo } from "../kit/stores/noonDaysAgo.ts";
import { whenStored } from "../kit/stores/whenStored.ts";
import {
  countSentWithDuckdb,
  countWithDuckdb,
  type OracleAnswers,
  type OracleRecords,
  type OracleRow,
  type RawEvent,
} from "./duckdbOracle.ts";
import { generateRows, shuffled } from "./generatedEvents.ts";
import { asRequests, asSent, atOtherTime, factsOf, type SentRequest } from "./sentEvents.ts";
import { readStoredRecords } from "./storedRecords.ts";

const eventCount = sized(30_000, 100_000);
const dayMs = 86_400_000;
const { signal } = new AbortController();

let postgres: pg.Pool;
let questdb: QuestdbReader;
let rows: RowWriter;

beforeAll(() => {
  const { questdbHttp, questdbPg } = inject("lookout");
  const { questdb: settings } = readConfig({ QUESTDB_HTTP: questdbHttp, QUESTDB_PG: questdbPg });
  postgres = new pg.Pool({ connectionString: inject("lookout").databaseUrl, max: 2 });
  questdb = new QuestdbReader(settings);
  rows = new RowWriter(settings, createMetrics(), pino({ level: "silent" }));
});

afterAll(async () => {
  await rows.close();
  await questdb.close();
  await postgres.end();
});

/** Stores rows as the service does, and waits until they can be read. */
async function store(list: readonly TableRow[]): Promise<void> {
  for (let at = 0; at < list.length; at += 5_000) await rows.write(list.slice(at, at + 5_000));
  await isApplied(inject("lookout").questdbHttp);
}

/**
 * Corrects these days of websites, while the worker may do the same. As there, a day stays in the queue when two reads disagree, which they
 * do when the worker corrects a day beside it between them: sessions near midnight belong to both. Returns the number of session rows
 * written, and how often reads disagreed.
 */
async function correct(touched: readonly TouchedDay[]) {
  await isApplied(inject("lookout").questdbHttp);
  await touchDays(postgres, touched);
  const ours = new Set(touched.map(({ websiteId }) => websiteId));
  let written = 0;
  let disagreed = 0;
  for (;;) {
    const waiting = (await readTouchedDays(postgres, 0, 100_000)).filter(({ websiteId }) => ours.has(websiteId));
    if (waiting.length === 0) break;
    for (const { websiteId, day } of waiting)
      await takeTouchedDay(postgres, { websiteId, day }, 0, async () => {
        written += await correctSessions({ questdb, rows }, websiteId, day, signal, (days) =>
          touchDays(
            postgres,
            days.map((other) => ({ websiteId, day: other })),
          ),
        );
        await aggregateWebsites({ questdb, rows }, day, [websiteId], noProgress, () => undefined, signal);
      }).catch((error: unknown) => {
        if (!(error instanceof DisagreeingReadsError)) throw error;
        disagreed++;
      });
    await pause(200);
  }
  await isApplied(inject("lookout").questdbHttp);
  return { written, disagreed };
}

function daysOf(events: readonly { website_id: string; us: number }[]): TouchedDay[] {
  const names = new Set(events.map(({ website_id, us }) => `${website_id} ${dayOf(us)}`));
  return [...names].map((name) => ({ websiteId: name.slice(0, -11), day: name.slice(-10) }));
}

const daysOfRows = (list: readonly TableRow[]) =>
  daysOf(list.map(({ tsUs, values }) => ({ website_id: values.website_id ?? "", us: tsUs })));

const dayOf = (us: number) => new Date(us / 1_000).toISOString().slice(0, 10);

/** Items in one list but not in the other, a few of each. */
function differences(stored: readonly string[], expected: readonly string[]) {
  const normal = (text: string) => JSON.stringify(sortedKeys(JSON.parse(text)));
  const [have, want] = [new Set(stored.map(normal)), new Set(expected.map(normal))];
  return {
    missing: [...want]
      .filter((text) => !have.has(text))
      .sort()
      .slice(0, 5),
    unexpected: [...have]
      .filter((text) => !want.has(text))
      .sort()
      .slice(0, 5),
    count: stored.length - expected.length,
  };
}

/** Reversed, so that a failure shows records of the same website and start or page next to each other. */
function sortedKeys(record: Record<string, unknown>): [string, unknown][] {
  return Object.entries(record).sort(([a], [b]) => (a < b ? 1 : -1));
}

async function expectEqualRecords(websiteIds: readonly string[], expected: OracleRecords): Promise<void> {
  const stored = await readStoredRecords(questdb, websiteIds);
  const none = { missing: [], unexpected: [], count: 0 };
  expect(differences(stored.sessions, expected.sessions)).toEqual(none);
  expect(differences(stored.aggregates, expected.aggregates)).toEqual(none);
}

/** Rounded as answers are. */
function rounded(row: OracleRow): OracleRow {
  const entries = Object.entries(row).map(([name, value]) => [
    name,
    typeof value === "number" ? Math.round(value * 100) / 100 : value,
  ]);
  return Object.fromEntries(entries);
}

async function expectEqualAnswers(
  website: TestWebsite,
  expected: OracleAnswers,
  from: string,
  to: string,
): Promise<void> {
  const ask = async (name: string) => {
    const parameters = [{ name, start_date: from, end_date: to, granularity: "daily" }];
    const options = { body: { parameters, limit: 100 }, apiKey: website.apiKey };
    const answer = await send("POST", `/v1/query?website_id=${website.websiteId}`, options);
    expect(answer).toMatchObject({ status: 200, body: { data: [{ success: true, data: expect.any(Array) }] } });
    const body = answer.body as { data: [{ data: OracleRow[] }] };
    return body.data[0].data;
  };
  const ofWebsite = (rows: readonly OracleRow[]) =>
    rows.filter(({ website_id }) => website_id === website.websiteId).map((row) => rounded(row));
  const [{ website_id: _, day: __, visitors, ...summary } = {}] = ofWebsite(expected.summaries);
  expect(await ask("summary_metrics")).toEqual([{ ...summary, unique_visitors: visitors }]);
  const days = ofWebsite(expected.days).map(({ website_id: _, day, total_events, ...figures }) => ({
    date: day,
    value: total_events,
    ...figures,
  }));
  expect((await ask("events_by_date")).filter(({ value, sessions }) => value !== 0 || sessions !== 0)).toEqual(days);
  const pages = (rows: readonly OracleRow[]) =>
    rows.map(({ path, pageviews, visitors: people }) => [path, pageviews, people]).sort();
  expect(pages(await ask("top_pages"))).toEqual(pages(ofWebsite(expected.pages)));
}

/** Sends requests concurrently and returns those answered with success, in the order of the answers. */
async function deliver(client: FuzzClient, requests: readonly SentRequest[], keys: ReadonlyMap<string, string>) {
  const answered: RawEvent[] = [];
  const refused: SentRequest[] = [];
  await inParallel(requests.length, 16, async (index) => {
    const request = requests[index];
    if (request === undefined) return;
    const { websiteId, path, sender, events } = request;
    const headers = {
      "content-type": "application/json",
      ...sender.headers,
      ...(sender.hasKey ? { authorization: `Bearer ${keys.get(websiteId)}` } : {}),
    };
    const body = Buffer.from(JSON.stringify(events.map(({ json }) => json)));
    const { status, text } = await client.send("POST", `${path}?website_id=${websiteId}`, headers, body);
    if (status === 503) return void refused.push(request);
    if (status !== 200 || text.includes('"status":"error"')) expect.fail(`${status} ${text.slice(0, 500)}`);
    answered.push(...factsOf(request));
  });
  return { answered, refused };
}

/** Repeats a request until it is not answered 503; requests answered so are not stored. */
async function deliverAll(client: FuzzClient, requests: readonly SentRequest[], keys: ReadonlyMap<string, string>) {
  const all: RawEvent[] = [];
  for (let left = requests; left.length > 0; await pause(100)) {
    const { answered, refused } = await deliver(client, left, keys);
    all.push(...answered);
    left = refused;
  }
  return all;
}

/** Does something once between the first and the second read of a correction. */
class InterruptedReader extends QuestdbReader {
  between: (() => Promise<unknown>) | undefined;

  override async read(sql: string, values: readonly BoundValue[], options: ReadOptions = {}): Promise<Row[]> {
    const { between } = this;
    if (options.isCheck === true && between !== undefined) {
      this.between = undefined;
      await between();
    }
    return await super.read(sql, values, options);
  }
}

/** Stores and corrects two sessions of one key, one on each side of a midnight; `view` makes more of its page views. */
async function storeTwoSessions() {
  const websiteId = randomUUID();
  const [day = ""] = someDays(2);
  const midnightUs = (Date.parse(`${day}T00:00:00Z`) + dayMs) * 1_000;
  const view = (minutes: number, key: number): TableRow => ({
    table: "events",
    tsUs: midnightUs + minutes * 60_000_000,
    values: { website_id: websiteId, event_key: key, event_type: "page_view", session_key: 5, path: `/${key}` },
  });
  const apart = [view(-20, 1), view(20, 2)];
  await store(apart);
  await correct(daysOfRows(apart));
  return { websiteId, day, midnightUs, view, apart };
}

describe("Session records, daily aggregation records and answers to queries (2)", () => {
  it("equal DuckDB's count over the sent events, before and after late events", async () => {
    const websites = await Promise.all([createWebsite(), createWebsite(), createWebsite()]);
    const websiteIds = websites.map(({ websiteId }) => websiteId);
    const keys = new Map(websites.map(({ websiteId, apiKey }) => [websiteId, apiKey]));
    const days = 4;
    const fromMs = noonDaysAgo(20) - dayMs / 2;
    const [firstDay, lastDay] = [dayOf(fromMs * 1_000), dayOf((fromMs + (days + 2) * dayMs) * 1_000)];
    const sent = shuffled(2, asSent(4, generateRows(1, websiteIds, fromMs, days, eventCount)));
    // A fifth is late.
    const late = asRequests(5, sent.slice(0, sent.length / 5));
    const first = asRequests(6, sent.slice(sent.length / 5));

    const questdbUrl = new URL(inject("lookout").questdbHttp);
    const gate = await createGate(Number(questdbUrl.port));
    questdbUrl.port = String(gate.port);
    const apis = await Promise.all([
      startApiProcess({ LOG_LEVEL: "error", TRUSTED_PROXIES: "127.0.0.1" }),
      startApiProcess({
        LOG_LEVEL: "fatal",
        TRUSTED_PROXIES: "127.0.0.1",
        QUESTDB_HTTP: questdbUrl.href.replace(/\/$/, ""),
        // Room for one request of `moved`, but not for `unlucky`.
        LOG_MAX_BYTES: "8192",
      }),
    ]);
    const [client, gated] = apis.map(({ baseUrl }) => new FuzzClient(baseUrl, 16));
    if (client === undefined || gated === undefined) throw new Error("There are two");
    try {
      const answered = await deliverAll(client, first, keys);

      // Repeated bodies, and repeated ids with another time, to this process and to another.
      const again = first.filter((_, index) => index % 20 === 0);
      const moved = first.map((request) => {
        const named = request.events.filter(({ facts }) => facts.id !== undefined);
        return { ...request, events: named.slice(0, 3).map(atOtherTime) };
      });
      answered.push(...(await deliverAll(client, again, keys)));
      answered.push(...(await deliverAll(client, moved.slice(0, moved.length / 2), keys)));
      answered.push(...(await deliverAll(gated, moved.slice(moved.length / 2), keys)));

      // Bodies sent while the store is unavailable and the log full, which are sent again when it is back.
      const unlucky = late
        .filter(({ sender }) => !sender.ignored)
        .map((request) => ({
          ...request,
          events: request.events.filter(({ facts }) => facts.id !== undefined).slice(0, 3),
        }))
        .filter(({ events }) => events.length > 0)
        .slice(0, 30);
      await gate.shut();
      const { refused } = await deliver(gated, unlucky, keys);
      expect(refused.length, `of ${unlucky.length} requests`).toBeGreaterThan(2);
      await gate.open();
      answered.push(...(await deliverAll(gated, unlucky, keys)));

      await Promise.all(apis.map(whenStored));
      await correct(daysOf(answered));
      const before = await countSentWithDuckdb(answered);
      await expectEqualRecords(websiteIds, before);
      for (const website of websites) await expectEqualAnswers(website, before, firstDay, lastDay);

      const after = await deliverAll(client, late, keys);
      answered.push(...after);
      await Promise.all(apis.map(whenStored));
      expect(answered.length).toBeGreaterThan(eventCount);
      await correct(daysOf(after));
      const expected = await countSentWithDuckdb(answered);
      expect(differences(expected.sessions, before.sessions).count).toBeGreaterThan(1_000);
      await expectEqualRecords(websiteIds, expected);
      for (const website of websites) await expectEqualAnswers(website, expected, firstDay, lastDay);

      // Here nothing is left to take away, so reads that disagree would lack rows.
      expect(await correct(daysOf(answered))).toEqual({ written: 0, disagreed: 0 });
    } finally {
      client.close();
      gated.close();
      await Promise.all(apis.map((api) => api.stop()));
      await gate.shut();
    }
  }, 600_000);

  it("are merged by late events: two sessions become one, also over midnight", async () => {
    const { websiteId, view, apart } = await storeTwoSessions();
    await expectEqualRecords([websiteId], await countWithDuckdb(apart));
    expect((await readStoredRecords(questdb, [websiteId])).sessions).toHaveLength(2);

    const late = view(-1, 3);
    await store([late]);
    await correct(daysOfRows([late]));
    await expectEqualRecords([websiteId], await countWithDuckdb([...apart, late]));
    expect((await readStoredRecords(questdb, [websiteId])).sessions).toHaveLength(1);

    const earlier = view(-45, 4);
    await store([earlier]);
    await correct(daysOfRows([earlier]));
    await expectEqualRecords([websiteId], await countWithDuckdb([...apart, late, earlier]));
    const { sessions } = await readStoredRecords(questdb, [websiteId]);
    expect(sessions.map((text) => JSON.parse(text))).toMatchObject([
      { pages: 4, entry: "/4", exit: "/2", seconds: 3_900 },
    ]);
  });

  it("are right after a neighbouring day was corrected between the two reads of a day, which is then tried again", async () => {
    const { websiteId, day, midnightUs, view, apart } = await storeTwoSessions();
    const late = view(-1, 3);
    await store([late]);

    const { questdbHttp, questdbPg } = inject("lookout");
    const reader = new InterruptedReader(readConfig({ QUESTDB_HTTP: questdbHttp, QUESTDB_PG: questdbPg }).questdb);
    reader.between = () => correctSessions({ questdb, rows }, websiteId, dayOf(midnightUs), signal);
    try {
      await expect(correctSessions({ questdb: reader, rows }, websiteId, day, signal)).rejects.toThrow(
        DisagreeingReadsError,
      );
    } finally {
      await reader.close();
    }
    expect(await correct(daysOfRows([...apart, late]))).toEqual({ written: 0, disagreed: 0 });
    await expectEqualRecords([websiteId], await countWithDuckdb([...apart, late]));
  });
});
