import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { send } from "../../kit/calls/request.ts";
import { createKey, createWebsite, type TestWebsite } from "../../kit/calls/website.ts";
import { pick, sampleEvents, sampleLinks, samplePaths } from "../../kit/random/randomEvents.ts";
import { seededRandom } from "../../kit/random/seededRandom.ts";
import { markTouched } from "../../kit/stores/markTouched.ts";
import { countRows, insertRows } from "../../kit/stores/sampleRows.ts";
import { openQuestdb } from "../../kit/stores/testQuestdb.ts";
import { selectedVisits } from "../answer/referenceAnswers.ts";
import { type FunnelEvent, FunnelOracle } from "./funnelOracle.ts";

const seed = 20_261_121;
const firstMs = Date.UTC(2026, 2, 1);
const range = { startDate: "2026-03-01", endDate: "2026-03-10" };
const endMs = Date.UTC(2026, 2, 11);

/** Few visitors with many events, many of them at the same minute: what makes order and windows matter. */
const crowded = crowdedEvents();
/** Distinct times, for sessions. */
const events = sampleEvents(seededRandom(seed + 1), 300, firstMs, 10 * 86_400_000);
const links = sampleLinks(seededRandom(seed + 2), events);

let website: TestWebsite;
let walked: TestWebsite;
let oracle: FunnelOracle;

beforeAll(async () => {
  const reader = openQuestdb();
  website = await createWebsite();
  walked = await createWebsite();
  const other = await createWebsite();
  const days = Array.from({ length: 13 }, (_, day) => firstMs + day * 86_400_000);
  for (const { websiteId } of [website, walked, other]) await markTouched(websiteId, days);
  await insertRows(reader, "events", crowded, website.websiteId);
  await insertRows(reader, "events", crowded.slice(0, 100), other.websiteId);
  await insertRows(reader, "events", events, walked.websiteId);
  await insertRows(reader, "outgoing_links", links, walked.websiteId);
  const stored = [
    ["events", website.websiteId, crowded.length],
    ["events", walked.websiteId, events.length],
    ["outgoing_links", walked.websiteId, links.length],
  ] as const;
  for (const [table, websiteId, rows] of stored)
    await vi.waitFor(async () => expect(await countRows(reader, table, websiteId)).toBe(rows), { timeout: 100_000 });
  await reader.close();
  oracle = await FunnelOracle.of(crowded);
});

afterAll(() => oracle.close());

const waiting = { timeout: 100_000, interval: 100 };

type TestStep = { step: object; sql: string };

const steps: readonly TestStep[] = [
  { step: { page: "/" }, sql: "event_type = 'page_view' AND path = '/'" },
  { step: { page: "/pricing" }, sql: "event_type = 'page_view' AND path = '/pricing'" },
  { step: { page: { path: "ric", op: "contains" } }, sql: "event_type = 'page_view' AND contains(path, 'ric')" },
  { step: { page: { path: "/a", op: "starts_with" } }, sql: "event_type = 'page_view' AND starts_with(path, '/a')" },
  { step: { event: "buy" }, sql: "event_type = 'custom' AND name = 'buy'" },
  { step: { event: "sign_up" }, sql: "event_type = 'custom' AND name = 'sign_up'" },
  {
    step: { event: "buy", filters: [{ field: "properties.plan", op: "eq", value: "pro" }] },
    sql: "event_type = 'custom' AND name = 'buy' AND json_extract_string(properties, '$.plan') = 'pro'",
  },
];

const windows = [
  ["PT1M", 60_000],
  ["PT30M", 1_800_000],
  ["P1DT2H", 93_600_000],
  ["P7D", 604_800_000],
] as const;

describe("4.1 POST /v1/query/funnel equals a count over every attempt of every visitor", () => {
  const random = seededRandom(seed + 3);
  for (let round = 0; round < 30; round++) {
    const chosen = Array.from({ length: 2 + Math.floor(random() * 4) }, () => pick(random, steps));
    const [window, windowMs] = pick(random, windows);
    const filtered = round % 3 === 0;
    test(`round ${round}: ${chosen.length} steps within ${window}${filtered ? " in visits with an event on /pricing" : ""}`, async () => {
      const filters = filtered ? [{ field: "path", op: "eq", value: "/pricing" }] : [];
      const body = { steps: chosen.map(({ step }) => step), window, splitBy: "country", ...range, filters };
      const wanted = await oracle.funnel({
        steps: chosen.map(({ sql }) => sql),
        windowMs,
        startMs: firstMs,
        endMs,
        filter: filtered ? "path = '/pricing'" : "true",
      });
      const answer = await ask("funnel", body);
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      const { steps: total, splits } = answer.body as Figures & { splits: (Figures & { value: string })[] };
      expect(figuresOf(total)).toEqual(wanted.get(undefined));
      const bySplit = new Map(splits.map((split) => [split.value, figuresOf(split.steps)]));
      wanted.delete(undefined);
      expect(bySplit).toEqual(wanted);
    });
  }
});

type Figures = { steps: { visitors: number; medianSeconds: number | null }[] };

function figuresOf(answered: Figures["steps"]) {
  return answered.map(({ visitors, medianSeconds }) => ({ visitors, median: medianSeconds }));
}

describe("4.1 funnels, goals and journeys", () => {
  test("a funnel answers conversion, drop-off and median time of each step", async () => {
    const own = await createWebsite();
    await sendVisits(own, [
      ["v1", 0, "/"],
      ["v1", 60, "/pricing"],
      ["v1", 180, "sign_up"],
      ["v2", 0, "/"],
      ["v2", 20, "/pricing"],
      ["v3", 0, "/"],
      ["v4", 0, "/pricing"],
    ]);
    const body = {
      steps: [{ page: "/", name: "Home" }, { page: "/pricing" }, { event: "sign_up" }],
      preset: "last_7d",
    };
    await vi.waitFor(async () => {
      const { body: answer } = await ask("funnel", body, own);
      expect(answer).toEqual({
        success: true,
        hints: [],
        requestId: expect.any(String),
        visitors: 3,
        converted: 1,
        conversionRate: 33.33,
        steps: [
          step("Home", 3, 100, 100, 0, 0, null),
          step("/pricing", 2, 66.67, 66.67, 1, 33.33, 20),
          step("sign_up", 1, 33.33, 50, 1, 50, 120),
        ],
        splits: [],
      });
    }, waiting);
  });

  test("goals equal DuckDB's count, in total, by day and by country", async () => {
    const inRange = { startMs: firstMs, endMs };
    for (const { step, sql } of steps) {
      const { body } = await ask("goals", { goals: [step], splitBy: "country", granularity: "day", ...range });
      const withRate = (row: Record<string, unknown>) => ({
        ...row,
        revenue: [],
        conversionRate:
          Number(row["visitors"]) === 0
            ? null
            : Math.round((10_000 * Number(row["converted"])) / Number(row["visitors"])) / 100,
      });
      const [total] = await oracle.rows(oracle.goals(sql, inRange, ""));
      const splits = await oracle.rows(
        `${oracle.goals(sql, inRange, "coalesce(country, 'Unknown') AS value")} ORDER BY converted DESC, completions DESC, visitors DESC, value`,
      );
      const series = await oracle.rows(
        `${oracle.goals(sql, inRange, "strftime(make_timestamp(began * 1000), '%Y-%m-%d') AS date")} ORDER BY date`,
      );
      expect(body).toEqual({
        success: true,
        requestId: expect.any(String),
        unknown: expect.any(Array),
        hints: [],
        goals: [
          {
            name: expect.any(String),
            total: withRate(total ?? {}),
            splits: splits.map(({ value, ...row }) => ({ value, figures: withRate(row) })),
            series: series.map(({ date, ...row }) => ({ date, figures: withRate(row) })),
          },
        ],
      });
    }
  });

  test("journeys count transitions and runs of pages within sessions", async () => {
    for (const page of ["", ...samplePaths.slice(0, 4)])
      for (const length of [2, 3, 4]) {
        const { body } = await ask("journeys", { page, length, limit: 1_000, ...range }, walked);
        const wanted = journeysOf(page, length);
        const { sessions, transitions, paths } = body as ReturnType<typeof journeysOf>;
        expect(sessions).toBe(wanted.sessions);
        expect(sorted(transitions)).toEqual(sorted(wanted.transitions));
        expect(sorted(paths)).toEqual(sorted(wanted.paths));
        const counts = paths.map(({ count }) => count);
        expect(counts).toEqual(counts.toSorted((a, b) => b - a));
      }
  });

  test("7: without a website they are answered MISSING_WEBSITE_ID", async () => {
    const { apiKey } = await createWebsite();
    const bodies = {
      funnel: { steps: [{ page: "/" }, { page: "/b" }], ...range },
      goals: { goals: [{ page: "/" }], ...range },
      journeys: range,
    };
    for (const [path, body] of Object.entries(bodies))
      expect(await send("POST", `/v1/query/${path}`, { body, apiKey }), path).toMatchObject({
        status: 400,
        body: { code: "MISSING_WEBSITE_ID" },
      });
  });

  test("a public website does not answer them to callers without a key or with keys of others", async () => {
    const shown = await createWebsite({ publicAccess: true });
    const stranger = await createWebsite();
    const path = `/v1/query/funnel?website_id=${shown.websiteId}`;
    const body = { steps: [{ page: "/" }, { page: "/b" }], ...range };
    expect(await send("POST", path, { body })).toMatchObject({ status: 401, body: { code: "AUTH_REQUIRED" } });
    expect(await send("POST", path, { body, apiKey: stranger.apiKey })).toMatchObject({
      status: 403,
      body: { code: "ACCESS_DENIED" },
    });
    const writer = await createKey({ organizationId: shown.organizationId, scopes: ["write:events"] });
    expect(await send("POST", path, { body, apiKey: writer })).toMatchObject({ status: 403 });
  });

  test("mistakes are named, with a suggestion if one is near", async () => {
    const body = {
      steps: [{ page: "/" }, { event: "buy", filters: [{ field: "contry", op: "eq", value: "DE" }] }],
      window: "7 days",
      splitBy: "contry",
      startDate: "2026-03-10",
      endDate: "2026-03-01",
    };
    const answer = await ask("funnel", body);
    expect(answer).toMatchObject({ status: 400, body: { code: "VALIDATION_ERROR" } });
    const { details } = answer.body as { details: { field: string; suggestion?: string }[] };
    expect(details.map(({ field, suggestion }) => [field, suggestion])).toEqual([
      ["endDate", undefined],
      ["steps[1].filters[0].field", "country"],
      ["window", undefined],
      ["splitBy", "country"],
    ]);
    expect(await ask("funnel", { steps: [{ page: "/" }], ...range })).toMatchObject({ status: 400 });
    expect(await ask("funnel", { steps: [{ page: "/" }, {}], ...range })).toMatchObject({ status: 400 });
  });
});

function step(
  name: string,
  visitors: number,
  conversionRate: number,
  stepConversionRate: number,
  dropped: number,
  dropOffRate: number,
  medianSeconds: number | null,
) {
  return { name, visitors, conversionRate, stepConversionRate, dropped, dropOffRate, medianSeconds };
}

function ask(what: string, body: object, site = website) {
  return send("POST", `/v1/query/${what}?website_id=${site.websiteId}`, { body, apiKey: site.apiKey });
}

function sorted<T>(list: readonly T[]): string[] {
  return list.map((item) => JSON.stringify(item)).sort();
}

function crowdedEvents(): FunnelEvent[] {
  const random = seededRandom(seed);
  return sampleEvents(random, 400, firstMs, 10 * 86_400_000).map((event) => ({
    ...event,
    tsMs: Math.floor(event.tsMs / 60_000) * 60_000,
    visitor_key: event.visitor_key === null ? null : 1 + (event.visitor_key % 40),
    properties:
      event.event_type === "custom" ? JSON.stringify({ plan: pick(random, ["pro", "free", 5]), "a.b": true }) : null,
  }));
}

async function sendVisits(own: TestWebsite, visits: readonly (readonly [string, number, string])[]): Promise<void> {
  // Events of long ago are not stored.
  const fromMs = Date.now() - 3_600_000;
  const body = visits.map(([visitor, second, what]) => ({
    type: "track",
    payload: {
      name: what.startsWith("/") ? "page_view" : what,
      anonymousId: visitor,
      sessionId: visitor,
      sessionStartTime: fromMs,
      timestamp: fromMs + second * 1_000,
      path: what.startsWith("/") ? what : "/form",
      title: "Title",
      referrer: "",
      screen_resolution: "1920x1080",
      viewport_size: "1280x720",
      timezone: "Europe/Berlin",
      language: "de-DE",
    },
  }));
  const answer = await send("POST", `/batch?website_id=${own.websiteId}`, { body });
  expect(answer.body).toMatchObject({ processed: visits.length, batched: { track: visits.length } });
}

/** Journeys as loops over the sessions of the reference count them. */
function journeysOf(page: string, length: number) {
  const query = {
    startMs: firstMs,
    endMs,
    zone: "UTC",
    unit: "day" as const,
  };
  const transitions = new Map<string, { from: string | null; to: string | null; count: number }>();
  const paths = new Map<string, { pages: string[]; count: number }>();
  let sessions = 0;
  for (const session of selectedVisits({ events, links }, query)) {
    const views = session.events
      .filter(({ event_type }) => event_type === "page_view")
      .map(({ path }) => path ?? "")
      .filter((path, index, all) => path !== all[index - 1]);
    if (views.length === 0) continue;
    if (page === "" || views.includes(page)) sessions++;
    const walk = [null, ...views, null];
    walk.slice(1).forEach((to, index) => {
      const from = walk[index] ?? null;
      if (page !== "" && from !== page && to !== page) return;
      const known = transitions.get(JSON.stringify([from, to])) ?? { from, to, count: 0 };
      transitions.set(JSON.stringify([from, to]), { ...known, count: known.count + 1 });
    });
    for (let start = 0; start + length <= views.length; start++) {
      const pages = views.slice(start, start + length);
      if (page !== "" && pages[0] !== page) continue;
      const known = paths.get(JSON.stringify(pages)) ?? { pages, count: 0 };
      paths.set(JSON.stringify(pages), { pages, count: known.count + 1 });
    }
  }
  return { sessions, transitions: [...transitions.values()], paths: [...paths.values()] };
}
