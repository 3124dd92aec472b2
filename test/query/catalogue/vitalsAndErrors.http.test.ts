import { expect, test } from "vitest";
import { send } from "../../kit/calls/request.ts";
import { createWebsite, type TestWebsite } from "../../kit/calls/website.ts";
import { noonDaysAgo } from "../../kit/stores/noonDaysAgo.ts";

const timestamp = noonDaysAgo(30);
const day = new Date(timestamp).toISOString().slice(0, 10);

async function rows(website: TestWebsite, type: string, filters: unknown[] = []): Promise<unknown> {
  const { body } = await send("POST", `/v1/query?website_id=${website.websiteId}`, {
    apiKey: website.apiKey,
    body: { parameters: [type], startDate: day, endDate: day, filters },
  });
  expect(body).toMatchObject({ data: [{ success: true }] });
  const { data } = body as { data: { data: unknown }[] };
  return data[0]?.data;
}

test("A1 vitals: measurements are answered as percentiles, by page and filtered", async () => {
  const website = await createWebsite();
  const body = [
    ...[100, 200, 300, 400].map((lcp) => ({ path: "/a", timestamp, anonymousId: `v${lcp}`, lcp })),
    { path: "/b", timestamp, metricName: "CLS", metricValue: 0.1 },
    // Extreme accepted values, further apart than the range of QuestDB's percentiles.
    { path: "/c", timestamp, metricName: "INP", metricValue: 3_600_000 },
    { path: "/c", timestamp, metricName: "INP", metricValue: 5e-324 },
    { path: "/c", timestamp, metricName: "INP", metricValue: 0 },
  ];
  await send("POST", `/vitals?website_id=${website.websiteId}`, { body });
  const lcp = { metric_name: "LCP", samples: 4, avg_value: 250 };
  await expect
    .poll(() => rows(website, "vitals_overview"))
    .toMatchObject([
      { ...lcp, p50: expect.closeTo(200, 0), p99: expect.closeTo(400, 0) },
      { metric_name: "INP", samples: 3 },
      { metric_name: "CLS", samples: 1, p75: expect.closeTo(0.1, 2) },
    ]);
  const filter = { field: "path", op: "eq", value: "/a" };
  expect(await rows(website, "vitals_by_page", [filter])).toMatchObject([
    { page: "/a", metric_name: "LCP", visitors: 4, samples: 4 },
  ]);
});

test("A1 errors: errors are counted by message, type, page and day", async () => {
  const website = await createWebsite();
  const error = { timestamp, anonymousId: "v1", sessionId: "s1", path: "/a", message: "no", errorType: "TypeError" };
  const body = [error, { ...error, path: "/b" }, { ...error, message: "other", errorType: "Error", anonymousId: "v2" }];
  await send("POST", `/errors?website_id=${website.websiteId}`, { body });
  await expect
    .poll(() => rows(website, "error_types"))
    .toMatchObject([
      { name: "no", count: 2, errors: 2, users: 1, sessions: 1, percentage: 66.67 },
      { name: "other", count: 1, users: 1, last_seen: `${day}T12:00:00.000Z` },
    ]);
  expect(await rows(website, "errors_by_type")).toMatchObject([{ name: "TypeError" }, { name: "Error" }]);
  expect(await rows(website, "errors_by_page")).toMatchObject([{ name: "/a", errors: 2 }, { name: "/b" }]);
  expect(await rows(website, "error_trends")).toEqual([{ date: day, errors: 3, users: 2 }]);
  expect(await rows(website, "error_frequency")).toEqual([{ date: day, count: 3 }]);
  expect(await rows(website, "error_chart_data")).toEqual([{ date: day, totalErrors: 3, affectedUsers: 2 }]);
});
