import { beforeAll, expect, test, vi } from "vitest";
import { send } from "../../kit/calls/request.ts";
import { createWebsite, type TestWebsite } from "../../kit/calls/website.ts";

const paths = ["/docs/start", "/docs/api/start", "/Docs/start", "/docs/10%_off*", "/a.b", "/aXb"];

let website: TestWebsite;

beforeAll(async () => {
  website = await createWebsite();
  const view = (path: string, index: number) => ({
    name: "page_view",
    path,
    anonymousId: `v${index}`,
    title: index < 2 ? "T" : "",
  });
  await ask("/batch", paths.map(view));
  await vi.waitFor(async () => expect(await viewsOf([])).toBe(paths.length), { timeout: 100_000, interval: 200 });
});

async function ask(path: string, body: unknown): Promise<unknown> {
  return (await send("POST", `${path}?website_id=${website.websiteId}`, { apiKey: website.apiKey, body })).body;
}

async function viewsOf(filters: readonly unknown[]): Promise<unknown> {
  const { data } = (await ask("/v1/query", { preset: "last_7d", parameters: ["summary_metrics"], filters })) as {
    data: [{ data: { pageviews: number }[] }];
  };
  return data[0].data[0]?.pageviews;
}

const cases: [string, string, unknown, number][] = [
  ["path", "ends_with", "/start", 3],
  ["path", "ends_with", "start/", 0],
  ["path", "ends_with", "_off*", 1],
  ["path", "matches", "/docs/*", 3],
  ["path", "matches", "/docs/*/start", 1],
  ["path", "matches", "docs", 0],
  ["path", "matches", "/?ocs/start", 2],
  ["path", "matches", "/a.b", 1],
  ["path", "matches", "/a?b", 2],
  ["path", "matches", "*%*", 1],
  ["title", "is_empty", undefined, 4],
  ["title", "is empty", undefined, 4],
  ["title", "is_not_empty", null, 2],
  ["title", "is not empty", undefined, 2],
  ["properties.plan", "is_empty", undefined, 6],
];

test.each(cases)("4.1: %s %s %j", async (field, op, value, count) => {
  expect(await viewsOf([{ field, op, value }])).toBe(count);
});

test.each(cases)("4.5: structured queries know them as well: %s %s %j", async (field, operator, value, count) => {
  const today = new Date();
  const body = {
    query: { table: "events", selects: [{ aggregate: "count", alias: "n" }], filters: [{ field, operator, value }] },
    startDate: new Date(today.getTime() - 86_400_000).toISOString().slice(0, 10),
    endDate: today.toISOString().slice(0, 10),
  };
  expect(await ask("/v1/query/custom", body)).toMatchObject({ data: [{ n: count }] });
});

test("4.5: numbers and times may be empty", async () => {
  const of = async (field: string, operator: string) => {
    const today = new Date().toISOString().slice(0, 10);
    const query = { table: "events", selects: [{ aggregate: "count", alias: "n" }], filters: [{ field, operator }] };
    return await ask("/v1/query/custom", { query, startDate: "2020-01-01", endDate: today });
  };
  expect(await of("time_on_page", "is_empty")).toMatchObject({ data: [{ n: paths.length }] });
  expect(await of("timestamp", "is_not_empty")).toMatchObject({ data: [{ n: paths.length }] });
});

test("4.1: pages of steps end with a text or match a pattern", async () => {
  const goals = [{ page: { path: "/start", op: "ends_with" } }, { page: { path: "/docs/*/start", op: "matches" } }];
  expect(await ask("/v1/query/goals", { preset: "last_7d", goals })).toMatchObject({
    goals: [{ total: { converted: 3 } }, { total: { converted: 1 } }],
  });
});

test.each([
  [{ op: "endswith", value: "x" }, "filters[0].op", "ends_with"],
  [{ op: "isEmpty" }, "filters[0].op", "is_empty"],
  [{ op: "glob", value: "x" }, "filters[0].op", undefined],
  [{ op: "is_empty", value: "x" }, "filters[0].value", undefined],
  [{ op: "matches" }, "filters[0].value", undefined],
  [{ op: "ends_with", value: "" }, "filters[0].value", undefined],
  [{ op: "matches", value: "*".repeat(101) }, "filters[0].value", undefined],
])("7: what is wrong is named: %j", async (filter, field, suggestion) => {
  const filters = [{ field: "path", ...filter }];
  const answer = await ask("/v1/query", { preset: "last_7d", parameters: ["summary_metrics"], filters });
  expect(answer).toMatchObject({ code: "VALIDATION_ERROR", details: [{ field }] });
  expect((answer as { details: { suggestion?: string }[] }).details[0]?.suggestion).toBe(suggestion);
});
