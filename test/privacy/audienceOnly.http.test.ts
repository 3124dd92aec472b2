import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { describe, expect, inject, test } from "vitest";
import { FunnelService } from "../../src/gen/lookout/v1/funnels_pb.ts";
import { QueryService } from "../../src/gen/lookout/v1/query_pb.ts";
import { catalogue } from "../../src/query/catalogue/catalogue.ts";
import { utcDayOf } from "../../src/time/utcDay.ts";
import { send } from "../kit/calls/request.ts";
import { createWebsite, type TestWebsite } from "../kit/calls/website.ts";
import { seededRandom } from "../kit/random/seededRandom.ts";
import { noonDaysAgo } from "../kit/stores/noonDaysAgo.ts";
import { storedRows } from "../kit/stores/storedRows.ts";

const smallest = 6;
const days = [3, 2, 1] as const;

const agents = {
  chrome: "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
  firefox: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
  iphone:
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1",
};

/** A value of a list, the first ones far more often. */
const skewed = <T>(values: readonly T[], random: () => number): T => {
  const found = values[Math.floor(values.length * random() ** 2.5)];
  if (found === undefined) throw new Error("there are no values");
  return found;
};

/** Visits of many visitors on some days, whose facts make groups of all sizes. */
function visits(seed: number): object[] {
  const random = seededRandom(seed);
  const events: object[] = [];
  for (const day of days)
    for (let visitor = 0; visitor < 70; visitor++) {
      const name = `${day} ${visitor}`;
      const facts = {
        anonymousId: name,
        sessionId: name,
        userAgent: skewed(Object.values(agents), random),
        country: skewed(["DE", "FR", "IT", "ES", "IS", "MT"], random),
        language: skewed(["de", "fr", "it", "es", "is", "mt"], random),
      };
      const pages = 1 + Math.floor(4 * random());
      for (let page = 0; page < pages; page++)
        events.push({
          ...facts,
          name: "page_view",
          path: skewed(["/", "/a", "/b", "/c", "/d", "/e", "/f", "/g"], random),
          referrer: page > 0 ? undefined : skewed(["", "https://www.google.com/", "https://news.example/"], random),
          timestamp: noonDaysAgo(day) + visitor * 1_000 + page * 10,
        });
      if (random() < 0.1)
        events.push({ ...facts, name: "signup", path: "/", timestamp: noonDaysAgo(day) + 20 + visitor * 1_000 });
    }
  return events;
}

type Row = Readonly<Record<string, unknown>>;
type Answered = {
  readonly success: boolean;
  readonly error?: string | null;
  readonly data: readonly Row[];
  readonly detail?: unknown;
};

let website: TestWebsite;
let raw: readonly Row[];

const dayOf = (ago: number) => utcDayOf(noonDaysAgo(ago));
const range = (from: number, until: number) => ({ startDate: dayOf(from), endDate: dayOf(until) });
const whole = range(3, 1);

async function ask(type: string, query: object = whole): Promise<Answered> {
  const { websiteId, apiKey } = website;
  const answer = await send("POST", `/v1/query?website_id=${websiteId}`, {
    apiKey,
    body: { ...query, parameters: [type] },
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  const [first] = (answer.body as { data: Answered[] }).data;
  if (first === undefined) throw new Error("a parameter has no answer");
  return first;
}

async function rowsOf(type: string, query?: object): Promise<readonly Row[]> {
  const { success, error, data } = await ask(type, query);
  expect([type, success, error ?? ""]).toEqual([type, true, ""]);
  return data;
}

/** Refused with the sentence that names the setting. */
async function sentenceOf(type: string, query?: object): Promise<string> {
  const { success, error, data, detail } = await ask(type, query);
  expect([type, success, data]).toEqual([type, false, []]);
  expect([type, detail]).toMatchObject([type, { field: "privacy.audienceOnly" }]);
  return error ?? "";
}

const sentence = "this website measures its audience only, by its setting privacy.audienceOnly";

async function switchOn(): Promise<void> {
  const privacy = { place: "city", ids: "sent", audienceOnly: true, smallestGroup: smallest };
  const body = { id: website.websiteId, privacy };
  const answer = await send("POST", "/websites/update", { apiKey: website.apiKey, body });
  expect(answer.body).toMatchObject({ privacy: { ...privacy, place: "country", ids: "day" } });
}

test("old rows are there when it is switched on, and new events get less, whatever is sent with it", async () => {
  website = await createWebsite();
  const events = visits(20_261_128);
  for (let from = 0; from < events.length; from += 100) {
    const body = events.slice(from, from + 100);
    const answer = await send("POST", `/batch?website_id=${website.websiteId}`, { apiKey: website.apiKey, body });
    expect(answer.body).toMatchObject({ status: "success" });
  }
  raw = await storedRows("events", website.websiteId, events.length);
  await switchOn();
}, 120_000);

/** The field of stored rows by which the rows of a type are grouped, and which field of its rows has the value. */
const tables = {
  top_pages: ["path", "path"],
  referrers: ["referrer_source", "referrer"],
  countries: ["country", "country"],
  languages: ["language", "name"],
  browsers: ["browser", "name"],
  devices: ["device", "name"],
} as const;

type Table = keyof typeof tables;
const tableNames = Object.keys(tables) as Table[];

/** Page views of stored rows, of a day. */
const viewsOf = (ago: number) =>
  raw.filter((row) => row["event_type"] === "page_view" && utcDayOf(Number(row["ts"])) === dayOf(ago));

/** A visit has its first value; a page view its own path. */
function groupsOf(table: Table, ago: number): Map<string, { visitors: Set<unknown>; views: number }> {
  const [column] = tables[table];
  const views = viewsOf(ago).sort((one, other) => Number(one["ts"]) - Number(other["ts"]));
  const first = new Map<unknown, string>();
  const groups = new Map<string, { visitors: Set<unknown>; views: number }>();
  for (const row of views) {
    const own = String(row[column] ?? "");
    if (column !== "path" && !first.has(row["visitor_key"])) first.set(row["visitor_key"], own);
    const value = column === "path" ? own : (first.get(row["visitor_key"]) ?? "");
    const group = groups.get(value) ?? { visitors: new Set(), views: 0 };
    groups.set(value, group);
    group.visitors.add(row["visitor_key"]);
    group.views += 1;
  }
  return groups;
}

const nameOf = (table: Table, row: Row) => String(row[tables[table][1]]);
const viewsIn = (rows: readonly Row[]) => rows.reduce((sum, row) => sum + Number(row["pageviews"]), 0);

describe("what an audience shows", () => {
  test.each(tableNames)(
    "%s of a day: groups that are large enough, the others as one, and nothing is lost",
    async (table) => {
      let hidden = 0;
      for (const ago of days) {
        const rows = await rowsOf(table, range(ago, ago));
        const groups = groupsOf(table, ago);
        const others = new Map(groups);
        for (const row of rows.filter((each) => nameOf(table, each) !== "other")) {
          const value = table === "referrers" && row["referrer"] === "Direct" ? "" : nameOf(table, row);
          const group = groups.get(value);
          expect([value, row["visitors"], row["pageviews"]]).toEqual([value, group?.visitors.size, group?.views]);
          expect(Number(row["visitors"])).toBeGreaterThanOrEqual(smallest);
          others.delete(value);
        }
        const other = rows.find((row) => nameOf(table, row) === "other");
        expect(rows.indexOf(other ?? {})).toBe(other === undefined ? -1 : rows.length - 1);
        const inOther = new Set([...others.values()].flatMap(({ visitors }) => [...visitors]));
        // The totals less the shown groups must not be small either.
        if (others.size > 0) expect(inOther.size).toBeGreaterThanOrEqual(smallest);
        expect(viewsIn(rows)).toBe(viewsOf(ago).length);
        hidden += [...groups.values()].filter(({ visitors }) => visitors.size < smallest).length;
      }
      if (table === "countries" || table === "top_pages") expect(hidden).toBeGreaterThan(0);
    },
  );

  test.each(tableNames)(
    "%s of every range is the sum of its days, so that no range less another one shows more",
    async (table) => {
      const byDay = new Map<number, Map<string, number>>();
      const sumsOf = (rows: readonly Row[]) =>
        new Map(rows.map((row) => [nameOf(table, row), Number(row["pageviews"])]));
      for (const ago of days) byDay.set(ago, sumsOf(await rowsOf(table, range(ago, ago))));
      for (const [from, until] of [
        [3, 2],
        [2, 1],
        [3, 1],
      ] as const) {
        const sums = new Map<string, number>();
        for (const ago of days.filter((each) => each <= from && each >= until))
          for (const [value, views] of byDay.get(ago) ?? []) sums.set(value, (sums.get(value) ?? 0) + views);
        expect(sumsOf(await rowsOf(table, range(from, until)))).toEqual(sums);
      }
      // Parts of days are answered as whole days.
      const noon = new Date(noonDaysAgo(2)).toISOString();
      const parts = { startDate: new Date(noonDaysAgo(2) - 3_600_000).toISOString(), endDate: noon };
      expect(sumsOf(await rowsOf(table, parts))).toEqual(byDay.get(2));
      const elsewhere = { ...range(2, 2) };
      const { websiteId, apiKey } = website;
      const answer = await send("POST", `/v1/query?website_id=${websiteId}&timezone=Asia/Tokyo`, {
        apiKey,
        body: { ...elsewhere, parameters: [table] },
      });
      expect(sumsOf((answer.body as { data: Answered[] }).data[0]?.data ?? [])).toEqual(byDay.get(2));
    },
  );

  test("pages of a table are parts of the same rows, with the others once, at the end", async () => {
    const all = await rowsOf("countries");
    const pages: Row[] = [];
    for (let page = 1; page <= all.length; page++)
      pages.push(...(await rowsOf("countries", { ...whole, limit: 1, page })));
    expect(pages).toEqual(all);
  });

  test("rates and durations are those of shown groups, and null for the others", async () => {
    const rows = await rowsOf("sessions_by_country");
    for (const row of rows) {
      const isOther = row["name"] === "other";
      expect(row["bounce_rate"] === null).toBe(isOther);
      expect(row["avg_session_duration"] === null).toBe(isOther);
      expect(Number(row["sessions"])).toBeGreaterThanOrEqual(smallest);
    }
  });

  test("totals are those of all days with enough visitors, without figures of parts of the visitors", async () => {
    const [total] = await rowsOf("summary_metrics");
    const views = days.reduce((sum, ago) => sum + viewsOf(ago).length, 0);
    expect(total).toMatchObject({
      pageviews: views,
      unique_visitors: 210,
      total_events: null,
      median_session_duration: null,
    });
    const series = await rowsOf("events_by_date");
    expect(series.map(({ date, visitors }) => [date, visitors])).toEqual(days.map((ago) => [dayOf(ago), 70]));
  });

  test("a comparison shows what the other range shows, and null for groups that it hides", async () => {
    const { websiteId, apiKey } = website;
    const query = { ...range(1, 1), compare: "previous", parameters: ["countries"] };
    const answer = await send("POST", `/v1/query?website_id=${websiteId}`, { apiKey, body: query });
    const [first] = (answer.body as { data: (Answered & { comparison: { data: Row[] } })[] }).data;
    const before = new Map((await rowsOf("countries", range(2, 2))).map((row) => [row["country"], row["visitors"]]));
    for (const row of first?.comparison.data ?? [])
      expect([row["country"], row["visitors"]]).toEqual([row["country"], before.get(row["country"]) ?? null]);
  });
});

describe("what it does not show is answered with a sentence", () => {
  test("4.1: every query type is either about an audience, or says so", async () => {
    const answered: string[] = [];
    for (const { name, table } of catalogue.values()) {
      const { success, error, data } = await ask(name);
      if (success && table === "events") answered.push(name);
      if (success && !/^(uptime_checks|link_clicks|excluded_traffic)$/.test(table))
        for (const row of data)
          for (const field of ["visitors", "unique_visitors", "users", "active_users"])
            if (typeof row[field] === "number") expect([name, Number(row[field]) >= smallest]).toEqual([name, true]);
      if (!success) expect([name, error]).toEqual([name, expect.stringContaining(sentence)]);
    }
    expect(answered.sort()).toMatchInlineSnapshot(`
      [
        "active_stats",
        "bounce_rate",
        "browser_name",
        "browsers",
        "countries",
        "country",
        "device_types",
        "devices",
        "events_by_date",
        "language",
        "languages",
        "page_views",
        "pages",
        "realtime_recent_stats",
        "referrers",
        "session_duration",
        "session_flow",
        "session_metrics",
        "sessions",
        "sessions_by_browser",
        "sessions_by_country",
        "sessions_by_device",
        "sessions_time_series",
        "summary_metrics",
        "today_metrics",
        "top_pages",
        "top_referrers",
        "visitors",
        "websites_now",
        "websites_today",
        "websites_trend",
      ]
    `);
  });

  test.each([
    { field: "country", op: "eq", value: "IS" },
    { field: "country", op: "ne", value: "IS" },
    { field: "path", op: "not_contains", value: "/g" },
  ])("4.1: a filter is refused, also a negated one: %o", async (filter) => {
    for (const type of ["summary_metrics", "countries", "events_by_date"])
      expect(await sentenceOf(type, { ...whole, filters: [filter] })).toContain(sentence);
    expect(await sentenceOf("countries", { ...whole, goal: { page: "/g" } })).toContain(sentence);
  });

  test("4.1: hours are refused, and today's groups until the day is over", async () => {
    expect(await sentenceOf("events_by_date", { ...range(1, 1), granularity: "hour" })).toContain("not of hours");
    expect(await sentenceOf("countries", { preset: "today" })).toContain("once their day is over");
  });

  test.each([
    [
      "4.5",
      "/v1/query/custom",
      { ...whole, query: { table: "events", selects: [{ field: "*", aggregate: "count", alias: "n" }] } },
    ],
    ["4.4", "/v1/query/compile", { type: "countries", from: "2026-01-01", to: "2026-01-02" }],
    ["4.6", "/v1/query/funnel", { ...whole, steps: [{ page: "/" }, { page: "/a" }] }],
    ["4.7", "/v1/query/goals", { ...whole, goals: [{ page: "/" }] }],
    ["4.8", "/v1/query/journeys", whole],
  ])("%s: %s", async (_, path, body) => {
    const { websiteId, apiKey } = website;
    const answer = await send("POST", `${path}?website_id=${websiteId}`, { apiKey, body });
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([409, expect.stringContaining(sentence)]);
  });

  test("4.1 over gRPC: the same sentence, also of a stream", async () => {
    const { websiteId, apiKey } = website;
    const transport = createGrpcTransport({ baseUrl: inject("lookout").baseUrl });
    const headers = { "x-api-key": apiKey };
    const client = createClient(QueryService, transport);
    const query = { ...whole, parameters: [{ name: "session_list" }, { name: "countries" }] };
    const { single } = await client.query({ websiteId, query }, { headers });
    expect(single?.data.map(({ success }) => success)).toEqual([false, true]);
    expect(single?.data[0]?.error).toContain(sentence);
    expect(single?.data[1]?.data.at(-1)).toMatchObject({ country: "other" });
    const leave = new AbortController();
    for await (const { answer } of client.watch({ websiteId, query }, { headers, signal: leave.signal })) {
      expect(answer?.data[0]?.error).toContain(sentence);
      break;
    }
    leave.abort();
    const event = (name: string) => ({ action: { case: "event", value: name } as const });
    const funnel = { websiteId, funnel: { ...whole, steps: [event("a"), event("b")] } };
    await expect(createClient(FunnelService, transport).analyzeFunnel(funnel, { headers })).rejects.toThrow(sentence);
  });

  test("4.18: rows of visitors are not exported, checks are", async () => {
    const { websiteId, apiKey } = website;
    const exported = async (dataTypes: string[]) =>
      await send("POST", `/v1/websites/${websiteId}/export`, {
        apiKey,
        body: { format: "csv", data_types: dataTypes, start_date: dayOf(3), end_date: dayOf(1) },
      });
    const refused = await exported(["events", "uptime"]);
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([409, expect.stringContaining(sentence)]);
    expect((await exported(["uptime"])).status).toBe(200);
  });

  test("4.15: a preview of rules is refused", async () => {
    const body = { id: website.websiteId, rules: { paths: ["/g"] } };
    const answer = await send("POST", "/websites/rules/preview", { apiKey: website.apiKey, body });
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([409, expect.stringContaining(sentence)]);
  });

  test("4.1: with another website only rows of each are answered", async () => {
    const { websiteId, apiKey } = website;
    const body = { name: "other", domain: "other.example" };
    const { id } = (await send("POST", "/websites/create", { apiKey, body })).body as { id: string };
    const both = async (type: string) => {
      const named = `website_ids=${websiteId}&website_ids=${id}`;
      const answer = await send("POST", `/v1/query?${named}`, { apiKey, body: { ...whole, parameters: [type] } });
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      return (answer.body as { data: Answered[] }).data[0];
    };
    for (const type of ["summary_metrics", "countries", "websites", "websites_by_date"])
      expect([type, (await both(type))?.error]).toEqual([type, expect.stringContaining(sentence)]);
    const trend = (await both("websites_trend"))?.data.find((row) => row["website_id"] === websiteId);
    const visitors = (trend?.["visitors_by_day"] ?? []) as unknown[];
    expect(visitors.slice(-3)).toEqual([70, 70, 70]);
    expect(visitors.slice(0, -3).every((day) => day === null)).toBe(true);
  });

  test("the privacy report proves it: the smallest group that is shown has enough visitors", async () => {
    const { websiteId, apiKey } = website;
    const report = async () => {
      const { body } = await send("GET", `/v1/websites/${websiteId}/privacy-report`, { apiKey });
      const { points } = body as {
        points: { id: string; state: string; broken_by: string[]; counts: { name: string; value: number }[] }[];
      };
      const of = (id: string) => points.find((point) => point.id === id);
      return { lists: of("statistics_only"), groups: of("small_groups") };
    };
    const { lists, groups } = await report();
    expect(lists).toMatchObject({ state: "fulfilled", settings: [{ name: "privacy.audienceOnly", value: "true" }] });
    expect(groups).toMatchObject({ state: "broken", broken_by: ["privacy.smallestGroup"] });
    const counted = new Map(groups?.counts.map(({ name, value }) => [name, value]));
    for (const [field, table] of [
      ["country", "countries"],
      ["path", "top_pages"],
    ] as const) {
      const rows = await Promise.all(days.map((ago) => rowsOf(table, range(ago, ago))));
      const shown = rows.flat().filter((row) => nameOf(table, row) !== "other");
      expect(counted.get(`smallest_group.${field}`)).toBe(Math.min(...shown.map((row) => Number(row["visitors"]))));
    }

    const update = async (privacy: object) => {
      const body = { id: websiteId, privacy: { place: "country", ids: "day", ...privacy } };
      expect((await send("POST", "/websites/update", { apiKey, body })).status).toBe(200);
    };
    await update({ audienceOnly: true, smallestGroup: 10 });
    const larger = await report();
    expect(larger.groups).toMatchObject({ state: "fulfilled", broken_by: [] });
    for (const { value } of larger.groups?.counts ?? []) expect(value).toBeGreaterThanOrEqual(10);
    await update({});
    const off = await report();
    expect(off.lists).toMatchObject({ state: "broken", broken_by: ["privacy.audienceOnly"] });
    await switchOn();
  });

  test("the group must have at least five visitors", async () => {
    const privacy = { place: "country", ids: "day", audienceOnly: true, smallestGroup: 2 };
    const body = { id: website.websiteId, privacy };
    const answer = await send("POST", "/websites/update", { apiKey: website.apiKey, body });
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([400, expect.stringContaining("smallestGroup")]);
  });
});

test("days with too few visitors have no figures at all", async () => {
  const { apiKey, websiteId } = await createWebsite();
  const view = { name: "page_view", path: "/", timestamp: noonDaysAgo(1) };
  const body = Array.from({ length: 5 }, (_, index) => ({ ...view, anonymousId: `v${index}` }));
  expect((await send("POST", `/batch?website_id=${websiteId}`, { apiKey, body })).status).toBe(200);
  await storedRows("events", websiteId, 5);
  const privacy = { place: "country", ids: "day", audienceOnly: true };
  const updated = await send("POST", "/websites/update", { apiKey, body: { id: websiteId, privacy } });
  expect(updated.body).toMatchObject({ privacy: { smallestGroup: 10 } });
  const query = { startDate: dayOf(1), endDate: dayOf(1), parameters: ["summary_metrics", "countries"] };
  const answer = await send("POST", `/v1/query?website_id=${websiteId}`, { apiKey, body: query });
  const [total, countries] = (answer.body as { data: Answered[] }).data;
  expect(total?.data).toMatchObject([{ pageviews: null, unique_visitors: null }]);
  expect(countries?.error).toContain("at least 10 visitors");
});
