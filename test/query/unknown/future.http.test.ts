import { expect, vi } from "vitest";
import { type WebsiteApi, websiteTest } from "../../kit/calls/websiteTest.ts";
import { noonDaysAgo } from "../../kit/stores/noonDaysAgo.ts";

const day = (ahead: number) => new Date(noonDaysAgo(-ahead)).toISOString().slice(0, 10);
const midnight = (ahead: number) => `${day(ahead)}T00:00:00.000Z`;

type Unknown = { readonly from: string; readonly until: string; readonly reason: string };
type Answer = {
  readonly data: readonly { readonly data: readonly Record<string, unknown>[]; readonly comparison?: object }[];
  readonly meta: { readonly unknown: readonly Unknown[]; readonly hints: readonly object[] };
};

async function ask(api: WebsiteApi, websiteId: string, query: object): Promise<Answer> {
  const { status, body } = await api.call("POST", `/v1/query?website_id=${websiteId}`, query);
  expect(status, JSON.stringify(body)).toBe(200);
  return body as Answer;
}

async function sendViews(api: WebsiteApi): Promise<void> {
  const views = [-2, 0].map((ahead) => ({
    name: "page_view",
    path: "/",
    anonymousId: `visitor ${ahead}`,
    // Today's noon may be ahead.
    timestamp: ahead === 0 ? Date.now() : noonDaysAgo(-ahead),
  }));
  await api.sendEvents(views);
  const rows = () => api.rowsOf("events_by_date", { startDate: day(-2), endDate: day(0) });
  await vi.waitFor(async () => expect(await rows()).toMatchObject([{ pageviews: 1 }, {}, { pageviews: 1 }]), {
    timeout: 100_000,
    interval: 200,
  });
}

websiteTest("4.1: what has not happened yet is unknown, and the answer says from when on", async ({ api, website }) => {
  await sendViews(api);
  const beforeMs = Date.now();
  const query = { startDate: day(-1), endDate: day(1), parameters: ["events_by_date"] };
  const { data, meta } = await ask(api, website.websiteId, query);
  expect(data[0]?.data.map(({ pageviews, visitors }) => [pageviews, visitors])).toEqual([
    [0, 0],
    [1, 1],
    [null, null],
  ]);
  expect(meta.unknown).toEqual([{ from: expect.any(String), until: midnight(2), reason: "future" }]);
  const from = Date.parse(meta.unknown[0]?.from ?? "");
  expect([from >= beforeMs, from <= Date.now()]).toEqual([true, true]);
  // A range that is over has none, and neither has one until now.
  const past = { ...query, endDate: day(-1) };
  expect((await ask(api, website.websiteId, past)).meta.unknown).toEqual([]);
  const untilNow = { ...query, startDate: midnight(-1), endDate: new Date().toISOString() };
  expect((await ask(api, website.websiteId, untilNow)).meta.unknown).toEqual([]);
});

websiteTest("4.1: a range that has not begun has no figures, and a hint says why", async ({ api, website }) => {
  await sendViews(api);
  const range = { startDate: day(1), endDate: day(3) };
  const parameters = ["summary_metrics", "top_pages"];
  const { data, meta } = await ask(api, website.websiteId, { ...range, parameters, compare: { period: "previous" } });
  expect(data[0]?.data).toMatchObject([{ pageviews: null, unique_visitors: null, sessions: null }]);
  expect(data[0]?.comparison).toMatchObject({ complete: false });
  expect(data[1]?.data).toEqual([]);
  expect(meta.unknown).toEqual([{ from: midnight(1), until: midnight(4), reason: "future" }]);
  const hint = { field: "startDate", message: expect.stringContaining("in the future") };
  expect(meta.hints).toEqual([hint]);

  const goals = await api.call("POST", `/v1/query/goals?website_id=${website.websiteId}`, {
    ...range,
    goals: [{ name: "Home", page: { path: "/" } }],
    granularity: "daily",
  });
  expect(goals.body).toMatchObject({
    goals: [{ name: "Home", series: [{ date: day(1) }, { date: day(2) }, { date: day(3) }] }],
    unknown: [{ reason: "future" }],
    hints: expect.arrayContaining([hint]),
  });
  expect(JSON.stringify(goals.body)).not.toContain('"visitors":0');

  const { meta: ofUptime } = await ask(api, website.websiteId, { ...range, parameters: ["uptime_overview"] });
  expect(ofUptime.unknown).toMatchObject([{ reason: "future" }]);
});
