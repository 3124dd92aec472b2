import { randomUUID } from "node:crypto";
import { expect, test, vi } from "vitest";
import { send } from "../../kit/calls/request.ts";
import { createWebsite } from "../../kit/calls/website.ts";
import { countRows, insertRows } from "../../kit/stores/sampleRows.ts";
import { openQuestdb } from "../../kit/stores/testQuestdb.ts";

type Row = { name: string; pageviews: number };

async function openWebsite() {
  const { websiteId, apiKey } = await createWebsite();
  const post = async (path: string, body: unknown): Promise<unknown> =>
    (await send("POST", `${path}?website_id=${websiteId}`, { apiKey, body })).body;
  const rows = async (parameter: string, filters: readonly unknown[] = []) => {
    const answer = await post("/v1/query", { preset: "last_7d", parameters: [parameter], filters });
    return (answer as { data: [{ data: Row[] }] }).data[0].data;
  };
  const views = async (field: string, op: string, value: unknown) =>
    (await rows("summary_metrics", [{ field, op, value }]))[0]?.pageviews;
  return { websiteId, post, rows, views };
}

/** An event from before values had one spelling. */
async function storeOld(websiteId: string, row: Record<string, string>): Promise<void> {
  const reader = openQuestdb();
  const before = await countRows(reader, "events", websiteId);
  const ids = { event_type: "page_view", name: "page_view", session_id: randomUUID(), anonymous_id: "old" };
  const keys = { visitor_key: 99, session_key: 99, event_key: 99 };
  await insertRows(reader, "events", [{ tsMs: Date.now() - 60_000, ...ids, ...keys, path: "/", ...row }], websiteId);
  await vi.waitFor(async () => expect(await countRows(reader, "events", websiteId)).toBe(before + 1), {
    timeout: 100_000,
  });
  await reader.close();
}

test("4.1: a page in two spellings is one page, shown decoded and found by each", async () => {
  const { websiteId, post, rows, views } = await openWebsite();
  const paths = ["/caf%C3%A9", "/caf%c3%a9", "/café?x=1", "https://example.com/caf%C3%A9", "/a%20b", "/a b", "?x=1"];
  await post(
    "/batch",
    paths.map((path, index) => ({ name: "page_view", path, anonymousId: `v${index}` })),
  );
  await vi.waitFor(async () => expect(await rows("top_pages")).toHaveLength(3), { timeout: 100_000, interval: 200 });
  expect(await rows("top_pages")).toMatchObject([
    { name: "/café", pageviews: 4 },
    { name: "/a b", pageviews: 2 },
    { name: "/", pageviews: 1 },
  ]);
  await storeOld(websiteId, { path: "/caf%C3%A9" });
  for (const spelling of ["/café", "/caf%C3%A9", "/caf%c3%a9"]) {
    expect(await views("path", "eq", spelling)).toBe(5);
    expect(await views("page", "in", [spelling, "/x"])).toBe(5);
    expect(await views("path", "ne", spelling)).toBe(3);
    expect(await views("path", "starts_with", spelling)).toBe(5);
    expect(await views("path", "ends_with", spelling)).toBe(5);
    expect(await views("path", "matches", `*${spelling.slice(1)}`)).toBe(5);
    const goals = await post("/v1/query/goals", { preset: "last_7d", goals: [{ page: spelling }] });
    expect(goals).toMatchObject({ goals: [{ total: { converted: 5 } }] });
    const custom = {
      query: {
        table: "events",
        selects: [{ aggregate: "count", alias: "n" }],
        filters: [{ field: "path", operator: "eq", value: spelling }],
      },
      startDate: new Date(Date.now() - 86_400_000).toISOString().slice(0, 10),
      endDate: new Date().toISOString().slice(0, 10),
    };
    expect(await post("/v1/query/custom", custom)).toMatchObject({ data: [{ n: 5 }] });
    const journeys = await post("/v1/query/journeys", { preset: "last_7d", length: 2, page: spelling });
    expect(journeys).toMatchObject({ sessions: 5 });
  }
});

test("4.1: links, errors and vitals know a page by the same spelling", async () => {
  const { post, rows } = await openWebsite();
  const ids = { anonymousId: "v", sessionId: "s", path: "/caf%c3%a9" };
  await post("/batch", [{ ...ids, type: "outgoing_link", href: "https://a.example/" }]);
  await post("/errors", [{ ...ids, message: "x" }]);
  await post("/vitals", [{ ...ids, metricName: "LCP", metricValue: 900 }]);
  const filter = [{ field: "path", op: "eq", value: "/café" }];
  for (const parameter of ["outbound_links", "error_types", "vitals_overview"])
    await vi.waitFor(async () => expect(await rows(parameter, filter)).not.toHaveLength(0), {
      timeout: 100_000,
      interval: 200,
    });
});

test("4.1: utm_source and utm_medium ignore letter case, campaigns do not", async () => {
  const { websiteId, post, rows, views } = await openWebsite();
  const sent = ["LinkedIn", "linkedin", "LINKEDIN"];
  const view = (utm: string, index: number) => ({
    ...{ name: "page_view", path: "/", anonymousId: `v${index}` },
    ...{ utm_source: utm, utm_medium: utm === "linkedin" ? "Social" : "social", utm_campaign: utm },
  });
  await post("/batch", sent.map(view));
  await vi.waitFor(async () => expect(await rows("utm_campaigns")).toHaveLength(3), {
    timeout: 100_000,
    interval: 200,
  });
  expect(await rows("utm_sources")).toMatchObject([{ name: "linkedin", pageviews: 3 }]);
  expect(await rows("utm_mediums")).toMatchObject([{ name: "social", pageviews: 3 }]);
  expect(await rows("traffic_sources")).toMatchObject([{ source: "social", pageviews: 3 }]);
  await storeOld(websiteId, { utm_source: "LinkedIn", utm_medium: "Social" });
  expect(await views("utm_source", "eq", "Linkedin")).toBe(4);
  expect(await views("utm_source", "in", ["LINKEDIN", "x"])).toBe(4);
  expect(await views("utm_source", "ne", "linkedIN")).toBe(0);
  expect(await views("utm_source", "contains", "KED")).toBe(4);
  expect(await views("utm_source", "matches", "L*N")).toBe(4);
  expect(await views("utm_medium", "starts_with", "SOC")).toBe(4);
  expect(await views("utm_campaign", "eq", "LinkedIn")).toBe(1);
});
