import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { beforeAll, describe, expect, inject, test, vi } from "vitest";
import { QueryService } from "../../../src/gen/lookout/v1/query_pb.ts";
import { send } from "../../kit/calls/request.ts";
import { createWebsite, type TestWebsite } from "../../kit/calls/website.ts";
import { noonDaysAgo } from "../../kit/stores/noonDaysAgo.ts";

const dayAgo = (days: number) => new Date(noonDaysAgo(days)).toISOString().slice(0, 10);
const midnight = (days: number) => `${dayAgo(days)}T00:00:00.000Z`;

/** Visits by the number of days ago, with their source. */
const visits: readonly [daysAgo: number, source: string][] = [
  [20, "old"],
  [13, "news"],
  [13, "news"],
  [12, "ads"],
  [10, "only_before"],
  [6, "news"],
  [5, "news"],
  [5, "news"],
  [4, "only_now"],
];

let website: TestWebsite;

beforeAll(async () => {
  website = await createWebsite();
  const views = visits.map(([daysAgo, source], index) => ({
    type: "track",
    payload: {
      name: "screen_view",
      path: "/",
      title: "Title",
      referrer: "",
      screen_resolution: "1920x1080",
      viewport_size: "1280x720",
      timezone: "UTC",
      language: "en",
      anonymousId: `v${index}`,
      sessionId: `s${index}`,
      sessionStartTime: noonDaysAgo(daysAgo),
      utm_source: source,
      timestamp: noonDaysAgo(daysAgo),
    },
  }));
  const { body } = await send("POST", `/batch?website_id=${website.websiteId}`, { body: views });
  expect(body).toMatchObject({ results: visits.map(() => ({ status: "success" })) });
  await vi.waitFor(
    async () => {
      const all = await ask({ startDate: dayAgo(20), endDate: dayAgo(0), parameters: ["summary_metrics"] });
      expect(all[0]?.data[0]?.["sessions"]).toBe(visits.length);
    },
    { timeout: 100_000, interval: 200 },
  );
});

type Row = Readonly<Record<string, unknown>>;

type Result = {
  readonly data: readonly Row[];
  readonly error: string | null;
  readonly comparison?: { from: string; until: string; complete: boolean; data: readonly Row[] };
};

async function post(query: object) {
  return send("POST", `/v1/query?website_id=${website.websiteId}`, { apiKey: website.apiKey, body: query });
}

async function ask(query: object): Promise<readonly Result[]> {
  const { status, body } = await post(query);
  expect(status, JSON.stringify(body)).toBe(200);
  return (body as { data: readonly Result[] }).data;
}

const week = { startDate: dayAgo(7), endDate: dayAgo(1) };
const weekBefore = { startDate: dayAgo(14), endDate: dayAgo(8) };

describe("4.1 compare", () => {
  test("answers equal those of the other period asked by itself", async () => {
    const parameters = ["summary_metrics", "events_by_date", "visitors"];
    const both = await ask({ ...week, parameters, compare: "previous" });
    const now = await ask({ ...week, parameters });
    const before = await ask({ ...weekBefore, parameters });
    expect(both.map(({ data }) => data)).toEqual(now.map(({ data }) => data));
    expect(both.map(({ comparison }) => comparison?.data)).toEqual(before.map(({ data }) => data));
    expect(both[0]?.comparison).toMatchObject({ from: midnight(14), until: midnight(7), complete: true });
    expect(both[0]?.data).toMatchObject([{ sessions: 4 }]);
    expect(both[0]?.comparison?.data).toMatchObject([{ sessions: 4 }]);
  });

  test("a row of a table is compared with the row of the same value, and with zero where there was none", async () => {
    const query = { ...week, parameters: ["utm_sources"], compare: { startDate: dayAgo(14), endDate: dayAgo(8) } };
    const [answer] = await ask(query);
    expect(answer?.data.map(nameAndSessions)).toEqual([
      ["news", 3],
      ["only_now", 1],
    ]);
    expect(answer?.comparison?.data.map(nameAndSessions)).toEqual([
      ["news", 2],
      ["only_now", 0],
    ]);
    // The second page is compared with its own rows.
    const [second] = await ask({ ...query, limit: 1, page: 2 });
    expect(second?.comparison?.data.map(nameAndSessions)).toEqual([["only_now", 0]]);
  });

  test("is not complete where the other period reaches back before the first event, and has null there", async () => {
    const query = { startDate: dayAgo(10), endDate: dayAgo(1), parameters: ["summary_metrics", "events_by_date"] };
    const [summary, series] = await ask({ ...query, compare: { startDate: dayAgo(22), endDate: dayAgo(13) } });
    expect(summary?.comparison).toMatchObject({
      complete: false,
      data: [{ sessions: 3 }],
      unknown: [{ from: midnight(22), until: midnight(20), reason: "not_started" }],
    });
    expect(series?.comparison?.data.map(({ sessions }) => sessions)).toEqual([null, null, 1, 0, 0, 0, 0, 0, 0, 2]);
    const [unknown, table] = await ask({ ...week, parameters: ["summary_metrics", "utm_sources"], compare: "year" });
    expect(unknown?.comparison).toMatchObject({ complete: false, data: [{ sessions: null, unique_visitors: null }] });
    expect(table?.comparison?.data[0]).toMatchObject({ name: "news", visitors: null });
  });

  test("a period that is not over is compared with as much of the other one", async () => {
    const [summary, series] = await ask({
      preset: "today",
      parameters: ["summary_metrics", "events_by_date"],
      compare: "weekdays",
    });
    expect(summary?.comparison?.from).toBe(series?.comparison?.from);
    expect(Date.parse(summary?.comparison?.until ?? "")).toBeLessThanOrEqual(Date.now() - 7 * 86_400_000);
    expect(Date.parse(series?.comparison?.until ?? "") - Date.parse(series?.comparison?.from ?? "")).toBe(86_400_000);
  });

  test("lists and types with a fixed range have no comparison", async () => {
    const answers = await ask({
      ...week,
      parameters: ["session_list", "today_metrics", "summary_metrics"],
      compare: "previous",
    });
    expect(answers.map(({ comparison }) => comparison !== undefined)).toEqual([false, false, true]);
    expect(answers.map(({ error }) => error)).toEqual([null, null, null]);
  });

  test.each([
    ["last", "compare.period", 'must be one of previous, weekdays, year, or have startDate and endDate, not "last"'],
    ["yaer", "compare.period", "must be one of"],
    [{}, "compare.period", "must be one of"],
    [{ period: "year", startDate: "2026-01-01" }, "compare.period", "cannot be sent together with dates"],
    [{ startDate: "2026-01-01" }, "compare.endDate", "is required with the other date"],
    [{ startDate: "2026-01-02", endDate: "2026-01-01" }, "compare.endDate", "must not be before the start"],
    [{ startDate: "yesterday", endDate: "2026-01-01" }, "compare.startDate", "must be a day"],
  ])("7: %j is refused", async (compare, field, message) => {
    const { status, body } = await post({ ...week, parameters: ["visitors"], compare });
    expect(status).toBe(400);
    const { details } = body as { details: { field: string; message: string; suggestion?: string }[] };
    expect(details).toMatchObject([{ field, message: expect.stringContaining(message) }]);
    if (compare === "yaer") expect(details[0]?.suggestion).toBe("year");
  });

  test("7: hours are compared with no more hours than may be asked", async () => {
    const { status, body } = await post({
      ...week,
      granularity: "hourly",
      parameters: ["visitors"],
      compare: { startDate: "2020-01-01", endDate: "2025-12-31" },
    });
    expect(status).toBe(400);
    expect(body).toMatchObject({ details: [{ field: "granularity" }] });
  });

  test("gRPC has the same, as rows and as columns", async () => {
    const client = createClient(QueryService, createGrpcTransport({ baseUrl: inject("lookout").baseUrl }));
    const headers = { "x-api-key": website.apiKey };
    const query = { ...week, parameters: [{ name: "utm_sources" }], compare: { period: "previous" } };
    const [json] = await ask({ ...week, parameters: ["utm_sources"], compare: "previous" });
    const { single } = await client.query({ websiteId: website.websiteId, query }, { headers });
    const { from, until, complete, data, unknown } = single?.data[0]?.comparison ?? {};
    expect({ from, until, complete, data, unknown }).toEqual(json?.comparison);
    const { data: columns } = await client.queryColumns({ websiteId: website.websiteId, query }, { headers });
    const sessions = columns[0]?.comparison?.columns.find(({ name }) => name === "sessions");
    expect(sessions?.values.value?.values).toEqual(json?.comparison?.data.map((row) => row["sessions"]));
    expect(columns[0]?.comparison?.until).toBe(json?.comparison?.until);
  });
});

function nameAndSessions(row: Row): unknown[] {
  return [row["name"], row["sessions"]];
}
