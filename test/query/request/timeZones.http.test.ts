import { beforeAll, expect, test, vi } from "vitest";
import { send } from "../../kit/calls/request.ts";
import { createWebsite, type TestWebsite } from "../../kit/calls/website.ts";

/** Sent by browsers: Chrome names zones by their first name, Firefox by the current one. */
const sent = ["Asia/Calcutta", "Asia/Kolkata", "asia/kolkata", "Europe/Kyiv", "Europe/Kiev", "Europe/Berlin"];

let website: TestWebsite;

beforeAll(async () => {
  website = await createWebsite();
  const items = sent.map((timezone, index) => ({
    ...{ name: "page_view", path: "/", anonymousId: `v${index}`, sessionId: `s${index}`, timezone },
  }));
  await send("POST", `/batch?website_id=${website.websiteId}`, { body: items });
  await vi.waitFor(async () => expect(await viewsOf([])).toBe(6), { timeout: 100_000, interval: 200 });
});

async function ask(filters: readonly unknown[], parameter: string, timezone = "UTC"): Promise<unknown> {
  const { body } = await send("POST", `/v1/query?website_id=${website.websiteId}&timezone=${timezone}`, {
    apiKey: website.apiKey,
    body: { preset: "last_7d", parameters: [parameter], filters },
  });
  return (body as { data: readonly { data: unknown }[] }).data[0]?.data;
}

const viewsOf = async (filters: readonly unknown[]) =>
  ((await ask(filters, "summary_metrics")) as { pageviews: number }[])[0]?.pageviews;

test("6: events are grouped under the current IANA name of their time zone", async () => {
  expect(await ask([], "timezones")).toMatchObject([
    { name: "Asia/Kolkata", pageviews: 3, visitors: 3 },
    { name: "Europe/Kyiv", pageviews: 2 },
    { name: "Europe/Berlin", pageviews: 1 },
  ]);
});

test.each([
  ["eq", "Asia/Kolkata", 3],
  ["eq", "Asia/Calcutta", 3],
  ["ne", "Asia/Calcutta", 3],
  ["in", ["Europe/Kiev", "Europe/Berlin"], 3],
  ["in", ["Europe/Kyiv", "Europe/Kiev"], 2],
  ["not_in", ["Europe/Kiev"], 4],
  ["starts_with", "Europe/Kiev", 2],
  ["contains", "Asia/Calcutta", 3],
  ["contains", "Kolk", 3],
  ["starts_with", "Europe/", 3],
  ["eq", "Europe/Paris", 0],
  ["eq", "Nowhere", 0],
])("4.1: a filter names a time zone by any of its names: %s %j", async (op, value, count) => {
  expect(await viewsOf([{ field: "timezone", op, value }])).toBe(count);
});

test("4.5: conditions of structured queries accept any name, on rows and on groups", async () => {
  const today = new Date().toISOString().slice(0, 10);
  const run = async (more: Record<string, unknown>) => {
    const { body } = await send("POST", `/v1/query/custom?website_id=${website.websiteId}`, {
      apiKey: website.apiKey,
      body: {
        query: { table: "events", selects: [{ field: "timezone" }, { aggregate: "count", alias: "n" }], ...more },
        startDate: today,
        endDate: today,
      },
    });
    return (body as { data: unknown }).data;
  };
  const condition = { field: "timezone", operator: "eq", value: "Asia/Calcutta" };
  const grouped = { groupBy: ["timezone"] };
  const expected = [{ timezone: "Asia/Kolkata", n: 3 }];
  expect(await run({ ...grouped, filters: [condition] })).toEqual(expected);
  expect(await run({ ...grouped, having: [condition] })).toEqual(expected);
});

test("4.1, 4.15: a request's and a website's time zone may have any of its names; the website shows the current one", async () => {
  const days = await ask([], "events_by_date", "Asia/Calcutta");
  expect(await ask([], "events_by_date", "Asia/Kolkata")).toEqual(days);
  const updated = await send("POST", "/websites/update", {
    apiKey: website.apiKey,
    body: { id: website.websiteId, timezone: "Europe/Kiev" },
  });
  expect(updated).toMatchObject({ status: 200, body: { timezone: "Europe/Kyiv" } });
});
