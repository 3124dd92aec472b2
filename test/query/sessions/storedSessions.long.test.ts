import { randomUUID } from "node:crypto";
import { fromJson, type JsonObject } from "@bufbuild/protobuf";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { correctSessions } from "../../../src/aggregation/storedSessions.ts";
import { readConfig } from "../../../src/config.ts";
import { QueryRequestSchema } from "../../../src/gen/lookout/v1/query_pb.ts";
import { createMetrics } from "../../../src/observability/metrics.ts";
import { runParameter } from "../../../src/query/answer/runParameter.ts";
import { catalogue } from "../../../src/query/catalogue/catalogue.ts";
import type { QueryType } from "../../../src/query/catalogue/queryType.ts";
import type { ParameterPlan } from "../../../src/query/plan/parameterPlan.ts";
import { planQueries } from "../../../src/query/plan/planQuery.ts";
import { timesSql } from "../../../src/query/sql/timesSql.ts";
import { asksVisits } from "../../../src/query/visits/asksVisits.ts";
import { visitFinder } from "../../../src/query/visits/findVisits.ts";
import { QuestdbReader } from "../../../src/store/questdb/questdbReader.ts";
import { RowWriter } from "../../../src/store/write/rowWriter.ts";
import type { TimeRange } from "../../../src/time/dates.ts";
import { pick } from "../../kit/random/randomEvents.ts";
import { seededRandom } from "../../kit/random/seededRandom.ts";
import { sized } from "../../kit/random/sized.ts";
import { countRows, insertRows } from "../../kit/stores/sampleRows.ts";
import { randomVisits, type Visited } from "./randomVisits.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const fromMs = Date.UTC(2025, 8, 1);
const days = 14;
const { signal } = new AbortController();

/** The hours of a day, since the first. */
const hoursOf = (day: number) => Array.from({ length: 24 }, (_, hour) => day * 24 + hour);

/** Websites whose stored sessions are right except in hours that got events afterwards. */
const websites = [
  { name: "all days settled", seed: 1, lateHours: [], servers: 0 },
  { name: "visitors that change little", seed: 7, lateHours: hoursOf(13), servers: 0, isSteady: true },
  { name: "the last day unsettled", seed: 2, lateHours: hoursOf(13), servers: 0 },
  { name: "days in the middle unsettled", seed: 3, lateHours: [3, 9, 10].flatMap(hoursOf), servers: 0 },
  { name: "the last hours unsettled", seed: 5, lateHours: [13 * 24 + 21, 13 * 24 + 22], servers: 0 },
  {
    name: "many hours here and there unsettled",
    seed: 6,
    lateHours: [60, 71, 95, 96, 130, 191, 300, 335],
    servers: 0,
  },
  { name: "with servers that never pause", seed: 4, lateHours: hoursOf(13), servers: 3 },
].map((website) => ({ isSteady: false, ...website, id: randomUUID() }));

type Website = (typeof websites)[number];

/**
 * Types that ask for visits. Those with a range of their own have no events here, since all are of the past. Goals, which a question must have
 * for goal_conversions, are in test/query/differential/goals.long.test.ts.
 */
const types: QueryType[] = [];
for (const type of catalogue.values())
  if (
    type.period === undefined &&
    type.shape.kind !== "goal_conversions" &&
    asksVisits(await planOf({ type, start: "2025-09-01", end: "2025-09-07" }))
  )
    types.push(type);

/** Of each type and website. */
const rounds = sized(1, 3);

/** Each website is asked every so many of the types; each type is asked at several websites. */
const everyType = sized(3, 1);

/** Each has other statements: of a website with few of all events, with some and with many. Each type meets all of them, at other websites. */
const shares = [0, 0.01, 1];

let reader: QuestdbReader;
let rows: RowWriter;

beforeAll(async () => {
  const { questdbHttp, questdbPg } = inject("lookout");
  const { questdb } = readConfig({ QUESTDB_HTTP: questdbHttp, QUESTDB_PG: questdbPg });
  reader = new QuestdbReader(questdb);
  rows = new RowWriter(questdb, createMetrics(), pino({ level: "silent" }));
  for (const website of websites) {
    const random = seededRandom(website.seed);
    const visits = randomVisits(random, { fromMs, days, keys: 400, ...website });
    const lateHours: readonly number[] = website.lateHours;
    const isLate = ({ row }: Visited) => lateHours.includes(Math.floor((row.tsMs - fromMs) / hourMs)) && random() < 0.4;
    const { now = [], late = [] } = Object.groupBy(visits, (visit) => (isLate(visit) ? "late" : "now"));
    await store(website.id, now);
    for (let day = 0; day < days; day += 1)
      await correctSessions({ questdb: reader, rows }, website.id, dayText(day), signal);
    await store(website.id, late);
  }
}, 600_000);

afterAll(async () => {
  await rows.close();
  await reader.close();
});

test("4.1 stored sessions are used by the types about sessions", () => {
  const names = types.map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining(["summary_metrics", "events_by_date", "entry_pages", "pages", "countries", "session_list"]),
  );
});

test("4.1 QuestDB accepts as many time ranges as there may be ambiguous sessions", async () => {
  const times = Array.from({ length: 1_000 }, (_, index) => {
    const startMs = fromMs + index * 600_000;
    return { startMs, endMs: startMs + 300_000 };
  });
  const [website] = websites;
  const rows = `events WHERE website_id = '${website?.id}'`;
  const isIn = times.map(({ startMs, endMs }) => `(ts >= ${startMs}000 AND ts <= ${endMs}000)`).join(" OR ");
  const [found] = await reader.read(`SELECT count() AS n FROM ${rows} AND ${timesSql(times)}`, []);
  const [expected] = await reader.read(`SELECT count() AS n FROM ${rows} AND (${isIn})`, []);
  expect(Number(expected?.["n"])).toBeGreaterThan(100);
  expect(found).toEqual(expected);
});

describe.each(websites)("4.1 answers with stored sessions equal those from events alone, $name", (website) => {
  const asked = types.filter((_, index) => (index + websites.indexOf(website)) % everyType === 0);
  test.each(asked)("$name", async (type) => {
    const random = seededRandom(website.seed * 1_000 + type.name.length);
    const first = websites.indexOf(website) + types.indexOf(type);
    for (let round = 0; round < rounds; round += 1) {
      const plan = {
        ...(await planOf(randomAsk(type, random))),
        websiteIds: [website.id],
        eventShare: shares[(first + round) % shares.length] ?? 0,
      };
      const about = `${type.name} ${JSON.stringify(plan.range)} ${plan.zone.name} ${plan.bucketUnit} ${JSON.stringify(plan.filters)}`;
      const [expected, found] = [await runParameter(plan, reader), await answer(plan, website)];
      expectSame(found.rows, expected, about);
      if (website.servers === 0) expect(found.usesStored, about).toBe(true);
    }
  });
});

/** An answer with stored sessions, and whether they were read for it. */
async function answer(plan: ParameterPlan, website: Website): Promise<{ rows: JsonObject[]; usesStored: boolean }> {
  let usesStored = false;
  const noted = (sql: string) => {
    if (sql.includes("last_activity_ms != null")) usesStored = true;
    return sql;
  };
  const asked: Pick<QuestdbReader, "read" | "readEach"> = {
    read: (sql, values) => reader.read(noted(sql), values),
    readEach: (sql, values, take) => reader.readEach(noted(sql), values, take),
  };
  const unsettled = website.lateHours.map(rangeOfHour);
  const found = await runParameter(
    plan,
    asked,
    visitFinder(async () => unsettled),
  );
  return { rows: found, usesStored };
}

function rangeOfHour(hour: number): TimeRange {
  return { startMs: fromMs + hour * hourMs, endMs: fromMs + (hour + 1) * hourMs };
}

/** Sums are rounded in another order. */
function expectSame(found: readonly JsonObject[], expected: readonly JsonObject[], about: string): void {
  expect(found.length, about).toBe(expected.length);
  for (const [index, row] of expected.entries())
    for (const [name, value] of Object.entries(row)) {
      const other = found[index]?.[name];
      const message = `${about}: row ${index}, ${name}`;
      if (typeof value === "number" && typeof other === "number")
        expect(Math.abs(other - value), `${message}: ${other} for ${value}`).toBeLessThanOrEqual(
          Number.isInteger(value) && Number.isInteger(other) ? 0 : 0.0101,
        );
      else expect(other, message).toEqual(value);
    }
}

type Ask = {
  type: QueryType;
  start: string;
  end: string;
  zone?: string;
  unit?: "day" | "hour";
  filters?: readonly (typeof someFilters)[number][];
};

/** Filters on a field of visits, on one of events, and on both. */
const byCountry = { field: "country", op: "ne", value: "DE" };
const byPath = { field: "path", op: "eq", value: "/pricing" };
const someFilters = [byCountry, byPath];
const combinations = [[], [], [byCountry], [byPath], someFilters];

/** Half of the bounds are midnights, and half of the others lie close to one. */
function randomAsk(type: QueryType, random: () => number): Ask {
  const bound = (day: number, isEnd: boolean) => {
    if (random() < 0.5) return dayText(isEnd ? day - 1 : day);
    const offMs = random() < 0.5 ? random() * dayMs : (random() - 0.5) * 7_200_000;
    return new Date(fromMs + day * dayMs + Math.floor(offMs)).toISOString();
  };
  const first = Math.floor(random() * 6);
  const length = 7 + Math.floor(random() * (days - first - 6));
  return {
    type,
    start: bound(first, false),
    end: bound(first + length, true),
    zone: pick(random, ["UTC", "UTC", "Europe/Berlin", "Asia/Kathmandu"]),
    unit: random() < 0.3 ? "hour" : "day",
    filters: type.table === "events" ? pick(random, combinations) : [],
  };
}

async function planOf({ type, start, end, zone = "UTC", unit = "day", filters = [] }: Ask): Promise<ParameterPlan> {
  const query = { parameters: [{ name: type.name }], startDate: start, endDate: end, granularity: unit, limit: 1_000 };
  const required = type.requiredFilter === undefined ? [] : [{ field: type.requiredFilter, op: "eq", value: "x" }];
  const request = fromJson(QueryRequestSchema, {
    timezone: zone,
    query: { ...query, filters: [...required, ...filters] },
  });
  const work = (await planQueries(request, 0))[0]?.parameters[0]?.work;
  if (work === undefined || "error" in work) throw new Error(work?.error ?? "not planned");
  return { ...work, websiteIds: [] };
}

async function store(websiteId: string, visits: readonly Visited[]): Promise<void> {
  for (const table of ["events", "outgoing_links"] as const) {
    const own = visits.filter((visit) => visit.table === table).map(({ row }) => row);
    const before = await countRows(reader, table, websiteId);
    await insertRows(reader, table, own, websiteId);
    await vi.waitFor(async () => expect(await countRows(reader, table, websiteId)).toBe(before + own.length), {
      timeout: 200_000,
    });
  }
}

function dayText(day: number): string {
  return new Date(fromMs + day * dayMs).toISOString().slice(0, 10);
}
