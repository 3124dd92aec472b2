import { randomUUID } from "node:crypto";
import { fromJson, type JsonObject } from "@bufbuild/protobuf";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { QueryRequestSchema } from "../../../src/gen/lookout/v1/query_pb.ts";
import { runParameter } from "../../../src/query/answer/runParameter.ts";
import { planQueries } from "../../../src/query/plan/planQuery.ts";
import type { QuestdbReader } from "../../../src/store/questdb/questdbReader.ts";
import { pick } from "../../kit/random/randomEvents.ts";
import { seededRandom } from "../../kit/random/seededRandom.ts";
import { countRows } from "../../kit/stores/sampleRows.ts";
import { openQuestdb } from "../../kit/stores/testQuestdb.ts";

/** Session keys with pauses, with whole days without one, and with links that bridge a pause or fill days. */
type Activity = {
  ms: number;
  key: number;
  kind: "page_view" | "page_exit" | "custom" | "link";
  browser: string | null;
};

const websiteId = randomUUID();
const firstMs = Date.UTC(2026, 0, 10);
const minuteMs = 60_000;
const dayMs = 1_440 * minuteMs;
const activities = randomActivities(seededRandom(20_261_121));

let reader: QuestdbReader;

beforeAll(async () => {
  reader = openQuestdb();
  const events = activities.filter(({ kind }) => kind !== "link");
  const links = activities.filter(({ kind }) => kind === "link");
  await insert("events", events);
  await insert("outgoing_links", links);
  const shown = { timeout: 200_000 };
  await vi.waitFor(async () => expect(await countRows(reader, "events", websiteId)).toBe(events.length), shown);
  await vi.waitFor(async () => expect(await countRows(reader, "outgoing_links", websiteId)).toBe(links.length), shown);
});

afterAll(() => reader.close());

test.each([
  ["2026-01-10", "2026-01-19"],
  ["2026-01-12", "2026-01-13"],
  ["2026-01-13T07:13:00Z", "2026-01-16T15:40:00Z"],
])("4.1 sessions of keys with pauses and of whole days, %s to %s, equal DuckDB's", async (start, end) => {
  const expected = await oracle(start, end);
  const series = await ask("sessions", start, end);
  expect(series.filter(({ value }) => value !== 0)).toEqual(expected.sessions);
  const byBrowser = (await ask("browsers", start, end)).map(({ name, pageviews, visitors, sessions }) => ({
    name,
    pageviews,
    visitors,
    sessions,
  }));
  expect(byBrowser).toEqual(expected.browsers);
  const [summary] = await ask("custom_events_summary", start, end);
  expect(summary?.["unique_sessions"]).toBe(expected.customSessions);
  const [figures] = await ask("summary_metrics", start, end);
  expect(figures).toMatchObject({ sessions: expected.total, bounce_rate: expected.bounceRate });
  expect(figures?.["avg_session_duration"]).toBeCloseTo(expected.seconds, 1);
});

async function ask(name: string, startDate: string, endDate: string): Promise<JsonObject[]> {
  const request = fromJson(QueryRequestSchema, { query: { parameters: [{ name }], startDate, endDate } });
  const work = (await planQueries(request, 0))[0]?.parameters[0]?.work;
  if (work === undefined || "error" in work) throw new Error(work?.error ?? "not planned");
  const rows = await runParameter({ ...work, websiteIds: [websiteId] }, reader);
  expect(await runParameter({ ...work, websiteIds: [websiteId], eventShare: 1 }, reader)).toEqual(rows);
  return rows;
}

async function insert(table: string, rows: readonly Activity[]): Promise<void> {
  for (let start = 0; start < rows.length; start += 100) {
    const part = rows.slice(start, start + 100);
    const values = part.flatMap(({ ms, key, kind, browser }, index) => {
      const shared = [new Date(ms).toISOString(), websiteId, start + index, visitorOf(key), key];
      return kind === "link" ? shared : [...shared, kind, browser];
    });
    const columns = `ts, website_id, event_key, visitor_key, session_key${table === "events" ? ", event_type, browser" : ""}`;
    const width = values.length / part.length;
    const tuples = part.map(
      (_, row) => `(${Array.from({ length: width }, (__, column) => `$${row * width + column + 1}`).join(", ")})`,
    );
    await reader.read(`INSERT INTO ${table} (${columns}) VALUES ${tuples.join(", ")}`, values);
  }
}

function visitorOf(key: number): number {
  return 7_000 + (key % 40);
}

function randomActivities(random: () => number): Activity[] {
  const browser = () => pick(random, ["Chrome", "Safari", null]);
  const kind = () => pick(random, ["page_view", "page_view", "page_exit", "custom"] as const);
  return Array.from({ length: 160 }, (_, index) => {
    const key = 1_000 + index;
    const startMs = firstMs + Math.floor(random() * 6 * dayMs);
    const chain = (count: number, gap: () => number, of: () => Activity["kind"]): Activity[] => {
      let ms = startMs;
      return Array.from({ length: count }, () => {
        ms += Math.max(1, Math.floor(gap() * minuteMs));
        return { ms, key, kind: of(), browser: browser() };
      });
    };
    switch (index % 8) {
      case 0:
        return chain(150 + Math.floor(random() * 150), () => 5 + random() * 24.9, kind);
      case 1: {
        // Links that fill days, and events on both sides of a midnight.
        const links = chain(
          250,
          () => 12 + random() * 16,
          () => "link",
        );
        const midnight = Math.ceil((startMs + 2 * dayMs) / dayMs) * dayMs;
        const around = [-3, -1, 1, 2].map((minutes): Activity => {
          return { ms: midnight + minutes * minuteMs + 17, key, kind: kind(), browser: browser() };
        });
        return [...links, ...around];
      }
      case 2:
        return chain(
          12,
          () => pick(random, [1, 10, 29.9999, 30, 30.5, 45]),
          () => (random() < 0.4 ? "link" : kind()),
        );
      case 3:
        return chain(
          3,
          () => pick(random, [20, 29, 31]),
          () => pick(random, ["link", "page_exit", "page_view"] as const),
        );
      case 4:
        return chain(10, () => random() * 40, kind);
      default:
        return chain(1 + Math.floor(random() * 4), () => random() * 6, kind);
    }
  }).flat();
}

async function oracle(start: string, end: string) {
  const instance = await DuckDBInstance.create(":memory:");
  try {
    const connection = await instance.connect();
    const values = activities.map(({ ms, key, kind, browser }) => {
      return `(${ms}, ${key}, ${visitorOf(key)}, '${kind}', ${browser === null ? "'Unknown'" : `'${browser}'`})`;
    });
    const startMs = Date.parse(start);
    const endMs = end.endsWith("Z") ? Date.parse(end) : Date.parse(end) + dayMs;
    await connection.run(
      `CREATE TABLE rows AS SELECT * FROM (VALUES ${values.join(", ")}) AS t(ms, key, visitor, kind, browser)`,
    );
    await connection.run(`CREATE TABLE pieces AS
      SELECT *, CASE WHEN ms // ${dayMs} - min(ms) OVER (PARTITION BY key, chain) // ${dayMs} >= 2 THEN ms // ${dayMs} ELSE 0 END AS piece FROM (
        SELECT *, sum(begins) OVER (PARTITION BY key ORDER BY ms ROWS UNBOUNDED PRECEDING) AS chain FROM (
          SELECT *, CASE WHEN ms - lag(ms) OVER (PARTITION BY key ORDER BY ms) < ${30 * minuteMs} THEN 0 ELSE 1 END AS begins FROM rows))`);
    // Whole visits that began in the range, each with the browser of its first event that has one.
    await connection.run(`CREATE TABLE sessions AS
      SELECT min(ms) AS ms, max(visitor) AS visitor, count(*) FILTER (kind = 'page_view') AS pageviews,
        bool_or(kind = 'custom') AS hasCustom,
        coalesce(arg_min(browser, ms) FILTER (browser != 'Unknown' AND kind != 'link'), 'Unknown') AS browser, (max(ms) - min(ms)) / 1000.0 AS seconds,
        count(*) FILTER (kind = 'page_view') = 1 AND count(*) FILTER (kind IN ('custom', 'link')) = 0 AND max(ms) - min(ms) < 10000 AS bounced
      FROM pieces GROUP BY key, chain, piece HAVING bool_or(kind != 'page_exit') AND min(ms) >= ${startMs} AND min(ms) < ${endMs}`);
    const list = async (sql: string) => (await connection.runAndReadAll(sql)).getRowObjectsJson();
    const [total] = await list(
      "SELECT count(*)::int AS n, round(100 * avg(bounced::int), 2) AS bounced, avg(seconds) AS seconds FROM sessions",
    );
    const [custom] = await list("SELECT count(*)::int AS n FROM sessions WHERE hasCustom");
    return {
      total: total?.["n"],
      bounceRate: total?.["bounced"],
      seconds: Number(total?.["seconds"]),
      customSessions: custom?.["n"],
      sessions: await list(
        `SELECT strftime(make_timestamp(ms // ${dayMs} * ${dayMs} * 1000), '%Y-%m-%d') AS date, count(*)::int AS value FROM sessions GROUP BY 1 ORDER BY 1`,
      ),
      browsers: await list(`
        SELECT browser AS name, sum(pageviews)::int AS pageviews, count(DISTINCT visitor)::int AS visitors, count(*)::int AS sessions
        FROM sessions
        GROUP BY 1 ORDER BY 2 DESC, 3 DESC, 4 DESC, 1`),
    };
  } finally {
    instance.closeSync();
  }
}
