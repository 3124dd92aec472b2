import { once } from "node:events";
import { request } from "node:http";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { handlers } from "../../src/main/handlers.ts";
import { chrome } from "../kit/calls/linkCalls.ts";
import { send } from "../kit/calls/request.ts";
import { createKey, createWebsite, type TestWebsite } from "../kit/calls/website.ts";
import { pageView } from "../kit/calls/websiteCalls.ts";
import { type OwnServer, startOwnServer } from "../kit/stack/ownServer.ts";
import { insertMonitor } from "../kit/stores/monitorFixture.ts";
import { type Assistant, connectAssistant } from "./mcpClient.ts";

let website: TestWebsite;
let assistant: Assistant;
/** A server that allows changes and short answers only. */
let own: OwnServer;

beforeAll(async () => {
  const settings = { MCP_CHANGES: "on", RATE_LIMIT_QUERY: "1", RATE_LIMIT_MANAGE: "30" };
  own = await startOwnServer(handlers, settings, { mcp: { maxAnswerCharacters: 4_000 } });
  website = await createWebsite();
  assistant = await connectAssistant(website.apiKey);
});
afterAll(async () => {
  await assistant?.client.close();
  await own?.close();
});

test("an assistant finds its website, a query type and the columns, and gets their rows", async () => {
  const { websiteId } = website;
  const sent = await send("POST", `/batch?website_id=${websiteId}`, {
    headers: { "user-agent": chrome },
    body: ["/", "/pricing", "/docs"].map((path) => ({ ...pageView(), path })),
  });
  expect(sent.body).toMatchObject({ status: "success" });
  expect((await assistant.use("list_websites")).content).toMatchObject({ websites: [{ id: websiteId }] });
  const described = await assistant.use("describe_query_types", { search: "top pages" });
  expect(described.content).toMatchObject({
    types: expect.arrayContaining([
      expect.objectContaining({
        name: "top_pages",
        columns: expect.objectContaining({ pageviews: "Page views" }),
      }),
    ]),
  });
  const query = { websiteId, types: ["top_pages", "summary_metrics"], preset: "today", limit: 2 };
  const rows = async () => ((await assistant.use("query", query)).content as Answers).answers[0]?.rows.length;
  await expect.poll(rows).toBe(2);
  expect((await assistant.use("query", query)).content).toMatchObject({
    answers: [
      { type: "top_pages", hasMore: true },
      { type: "summary_metrics", rows: [{ pageviews: 3 }] },
    ],
  });
  expect(((await assistant.use("query", { ...query, page: 2 })).content as Answers).answers[0]?.rows).toHaveLength(1);
  expect((await assistant.use("query", { ...query, compare: "weekdays" })).content).toMatchObject({
    answers: [
      { comparison: { complete: false, rows: [{ pageviews: null }, { pageviews: null }] } },
      { rows: [{ pageviews: 3 }], comparison: { rows: [{ pageviews: null }] } },
    ],
    unknown: [{ reason: "future" }],
    hints: [],
  });
  const funnel = await assistant.use("funnel", {
    websiteId,
    preset: "today",
    steps: [{ page: "/" }, { page: "/docs" }],
  });
  expect(funnel.content).toMatchObject({ steps: [{ visitors: 1 }, {}] });
  const goals = await assistant.use("goals", {
    websiteId,
    preset: "today",
    goals: [{ page: "/docs" }],
    splitBy: "entry_page",
  });
  expect(goals.content).toMatchObject({
    goals: [{ total: { converted: 1 }, splits: [{ figures: { converted: 1 } }] }],
  });
});

type Answers = { answers: { rows: object[] }[] };

test("an assistant sees monitors, incidents, links and clicks", async () => {
  const { websiteId, apiKey } = website;
  const { id: monitorId } = await insertMonitor(website, { name: "Shop" });
  const link = await send("POST", "/links/create", { apiKey, body: { websiteId, targetUrl: "https://example.com/" } });
  const { id } = link.body as { id: string };
  expect((await assistant.use("uptime_status", { websiteId })).content).toMatchObject({
    monitors: [{ id: monitorId }],
  });
  const days = { dateFrom: "2026-01-01", dateTo: "2026-01-31" };
  expect((await assistant.use("incidents", { monitorId, ...days })).content).toEqual({
    incidents: [],
    range: { from: "2026-01-01T00:00:00Z", until: "2026-02-01T00:00:00Z", timezone: "UTC" },
  });
  expect((await assistant.use("list_links", { websiteId })).content).toMatchObject({ links: [{ id }] });
  expect((await assistant.use("link_clicks", { id, ...days })).content).toMatchObject({ total: 0, unit: "count" });
  expect((await assistant.use("link_clicks", { websiteId })).content).toMatchObject({ total: 0, metric: "clicks" });
});

test("websites are found by their names, with the goals that their owners have set, and nothing that nobody asked for", async () => {
  const { websiteId, apiKey } = await createWebsite({ domain: "two.example" });
  const goals = { goals: [{ kind: "page", value: "/thanks" }] };
  expect((await send("POST", "/websites/update", { apiKey, body: { id: websiteId, goals } })).status).toBe(200);
  const owner = await connectAssistant(apiKey);
  const one = { id: websiteId, name: "Test", domain: "two.example", timezone: "UTC", goals: [{ page: "/thanks" }] };
  expect((await owner.use("list_websites", { search: "TWO.ex" })).content).toEqual({ websites: [one], found: 1 });
  expect((await owner.use("list_websites", { search: "three" })).content).toEqual({ websites: [], found: 0 });
  await owner.client.close();
});

test("how all websites do is answered in one call, of those that the key reaches", async () => {
  const owner = await createWebsite({ domain: "one.example" });
  const { organizationId, apiKey } = owner;
  const added = await send("POST", "/websites/create", { apiKey, body: { name: "Second", domain: "second.example" } });
  const { id: second } = added.body as { id: string };
  const tags = { tags: { names: ["shops"] } };
  expect((await send("POST", "/websites/update", { apiKey, body: { id: second, ...tags } })).status).toBe(200);
  await send("POST", `/batch?website_id=${second}`, { headers: { "user-agent": chrome }, body: [pageView()] });
  const [all, limited] = await Promise.all([
    connectAssistant(apiKey),
    connectAssistant(await createKey({ organizationId, websiteIds: [owner.websiteId] })),
  ]);
  const today = async () => (await all.use("all_websites")).content["total"];
  await expect.poll(today, { timeout: 100_000 }).toEqual({ websites: 2, now: 1, visitorsToday: 1, visitsToday: 1 });
  const found = {
    id: second,
    name: "Second",
    tags: ["shops"],
    now: 1,
    visitorsToday: 1,
    usualVisitors: null,
    uptime: "none",
  };
  expect((await all.use("all_websites")).content).toMatchObject({
    websites: [found, { id: owner.websiteId, now: 0, visitorsToday: null }],
    down: [],
  });
  expect((await all.use("all_websites", { tag: "shops" })).content).toMatchObject({ total: { websites: 1 } });
  const sum = { allWebsites: true, types: ["summary_metrics"], preset: "today" };
  expect((await all.use("query", sum)).content).toMatchObject({ answers: [{ rows: [{ pageviews: 1 }] }] });
  const own = (await limited.use("all_websites")).content;
  expect(own).toMatchObject({ websites: [{ id: owner.websiteId }], total: { websites: 1 } });
  expect((await limited.use("query", sum)).content).toMatchObject({ answers: [{ rows: [{ pageviews: null }] }] });
  for (const { client } of [all, limited]) await client.close();
});

test("a key of another organization sees nothing and reaches nothing", async () => {
  const { websiteId } = website;
  const stranger = await connectAssistant((await createWebsite()).apiKey);
  expect(JSON.stringify((await stranger.use("list_websites")).content)).not.toContain(websiteId);
  const days = { dateFrom: "2026-01-01", dateTo: "2026-01-31" };
  const { id: monitorId } = await insertMonitor(website);
  const steps = [{ page: "/" }, { page: "/docs" }];
  for (const [name, given] of [
    ["query", { websiteId, types: ["top_pages"], preset: "today" }],
    ["query", { monitorId, types: ["uptime_overview"], preset: "today" }],
    ["funnel", { websiteId, preset: "today", steps }],
    ["goals", { websiteId, preset: "today", goals: steps }],
    ["uptime_status", { websiteId }],
    ["incidents", { monitorId, ...days }],
    ["link_clicks", { id: websiteId, ...days }],
  ] as const) {
    const { content, failure } = await stranger.use(name, given);
    expect(failure, name).toMatch(/^(NOT_FOUND|ACCESS_DENIED): /);
    expect(content).toEqual({});
  }
  expect(JSON.stringify((await stranger.use("all_websites")).content)).not.toContain(websiteId);
  expect((await stranger.use("list_links", { websiteId })).content).not.toMatchObject({ links: [{}] });
  await stranger.client.close();
});

test("without its scope a tool says which one the key lacks", async () => {
  const { organizationId } = website;
  const reader = await connectAssistant(await createKey({ organizationId, scopes: ["read:data"] }));
  expect((await reader.use("list_links")).failure).toContain("lacks the scope read:links");
  expect((await reader.use("list_websites")).failure).toBe("");
  await reader.client.close();
});

test("errors say what to try: the closest type, argument, tool and preset", async () => {
  const { websiteId } = website;
  const wrong = await assistant.use("query", { websiteId, types: ["top_pagse"], preset: "today" });
  expect(wrong.failure.match(/did you mean [^?]*\?/gi)).toEqual(['did you mean "top_pages"?']);
  expect(wrong.failure).toMatch(/^VALIDATION_ERROR: one argument is wrong\n/);
  expect(wrong.failure).toContain("Next: describe_query_types");
  const noDay = await assistant.use("query", { websiteId, types: ["pages"], startDate: "2026-11-31", endDate: "x" });
  expect(noDay.failure).toContain("startDate is no day of the calendar");
  expect(noDay.failure).not.toContain("describe_query_types");
  expect((await assistant.use("query", { types: ["pages"], preset: "today" })).failure).toMatch(
    /^MISSING_PROJECT_ID: .*\nNext: Give websiteId, monitorId/,
  );
  expect(wrong.failure).toContain("types[0]");
  expect((await assistant.use("query", { website: websiteId, types: ["top_pages"] })).failure).toContain(
    "Did you mean websiteId?",
  );
  expect((await assistant.use("funnel", { websiteId })).failure).toContain("steps is required");
  expect((await assistant.use("query", { websiteId, types: ["top_pages"], preset: "last_7" })).failure).toContain(
    "last_7d",
  );
  expect((await assistant.use("describe_query_types", { types: ["top_pagse"] })).content).toMatchObject({
    suggestion: "Did you mean top_pages?",
  });
  const inApi = await assistant.use("query", { websiteId, preset: "today", parameters: ["top_pagse"], page: 0 });
  expect(inApi.failure).toContain("page must be a whole number of at least 1");
  expect(inApi.failure).not.toContain("types is");
  expect(
    (await assistant.use("query", { website_id: websiteId, preset: "today", parameters: ["pages"] })).failure,
  ).toBe("");
  const both = await assistant.use("query", { websiteId, preset: "today", parameters: ["pages"], types: ["pages"] });
  expect(both.failure).toContain("parameters means types, which is given too");
  const none = await assistant.use("query", { websiteId: "none", preset: "today", types: ["top_pages"] });
  expect(none.failure).toContain("list_websites");
  for (const { failure } of [wrong, inApi, none]) expect(failure).not.toMatch(/(GET|POST) \//);
  await expect(assistant.use("list_website")).rejects.toThrow("Did you mean list_websites?");
});

test("figures of web vitals have units, shares say of what, and a filter that fits no type is an error", async () => {
  const { websiteId } = website;
  const vitals = [{ path: "/", metricName: "LCP", metricValue: 2_000, timestamp: Date.now(), sessionId: "v1" }];
  const sent = await send("POST", `/vitals?website_id=${websiteId}`, { apiKey: website.apiKey, body: vitals });
  expect(sent.status).toBe(200);
  const types = ["vitals_by_page", "traffic_sources"];
  const units = async () =>
    ((await assistant.use("query", { websiteId, types, preset: "today" })).content as Answers).answers.map(
      (answer) => (answer as { units?: Record<string, string> }).units,
    );
  await expect
    .poll(units, { timeout: 100_000 })
    .toMatchObject([{ p75: expect.stringMatching(/^ms/) }, { percentage: "percent (share of page views)" }]);
  const filters = [{ field: "nothing", op: "eq", value: "x" }];
  const wrong = await assistant.use("query", { websiteId, types: ["pages"], preset: "today", filters });
  expect(wrong.failure).toContain('"error"');
});

test("a series has all of its days, and types of now need no dates and say no range", async () => {
  const { websiteId } = website;
  const given = { websiteId, types: ["page_views", "pages"], preset: "last_30d", maxCharacters: 20_000 };
  const [series] = ((await assistant.use("query", given)).content as Answers).answers;
  expect(series?.rows).toHaveLength(30);
  const now = await assistant.use("query", { websiteId, types: ["active_stats"] });
  expect(now.content).toMatchObject({ answers: [{ type: "active_stats", rows: [{}] }] });
  expect(now.content).not.toHaveProperty("range");
});

test("a long answer is cut, and says how to get the rest", async () => {
  const terse = await connectAssistant(website.apiKey, own.baseUrl);
  const many = ["top_pages", "utm_campaigns", "countries", "browsers", "summary_metrics"];
  const { content, length } = await terse.use("describe_query_types", { types: many, maxCharacters: 100_000 });
  expect(length).toBeLessThanOrEqual(4_000);
  expect(content["note"]).toMatch(/filters: \d+ of \d+.* Search with other words, name the types, or/);
  expect((await terse.use("describe_query_types")).content["found"]).toBeGreaterThan(100);
  const usual = await assistant.use("describe_query_types", { types: many });
  expect(usual.length).toBeLessThanOrEqual(4_000);
  expect(usual.content["note"]).toContain("larger maxCharacters");
  expect((await assistant.use("describe_query_types", { types: many, maxCharacters: 40_000 })).content["note"]).toBe(
    undefined,
  );
  await terse.client.close();
});

test("tools that change something exist where the operator allows them and the key has the scope", async () => {
  const { websiteId, organizationId, apiKey } = website;
  const change = { websiteId, targetUrl: "https://example.com/new" };
  expect(assistant.tools).not.toContain("create_link");
  expect((await assistant.use("create_link", change)).failure).toContain("MCP_CHANGES");
  const reader = await connectAssistant(await createKey({ organizationId, scopes: ["read:links"] }), own.baseUrl);
  expect(reader.tools).not.toContain("create_link");
  expect((await reader.use("create_link", change)).failure).toContain("lacks the scope write:links");
  const writer = await connectAssistant(apiKey, own.baseUrl);
  const { content } = await writer.use("create_link", change);
  expect(content).toMatchObject({ targetUrl: change.targetUrl, id: expect.any(String) });
  expect((await writer.use("create_link", { targetUrl: "example.com" })).failure).toContain(
    "targetUrl must start with http:// or https://",
  );
  const { id: monitorId } = await insertMonitor(website, { status: "active", intervalMs: 86_400_000, phaseMs: 0 });
  expect((await writer.use("pause_monitor", { monitorId })).content).toMatchObject({ status: "paused" });
  await Promise.all([reader.client.close(), writer.client.close()]);
});

test("calls count towards the key's rate limits, those of the tool and those of all messages", async () => {
  const { websiteId, apiKey } = await createWebsite();
  const hasty = await connectAssistant(apiKey, own.baseUrl);
  const query = { websiteId, types: ["top_pages"], preset: "today" };
  expect((await hasty.use("query", query)).failure).toBe("");
  expect((await hasty.use("query", query)).failure).toMatch(/^RATE_LIMIT_EXCEEDED: .*Try again in \d+ seconds/s);
  const statuses: number[] = [];
  for (let call = 0; call < 30; call += 1)
    statuses.push((await post({ method: "ping" }, { apiKey, baseUrl: own.baseUrl })).status);
  expect(statuses.at(-1)).toBe(429);
  await hasty.client.close();
});

/** A message of JSON-RPC, or whatever `body` is. */
function post(body: unknown, options: { apiKey?: string; baseUrl?: string; headers?: Record<string, string> } = {}) {
  const isMethod = typeof body === "object" && body !== null && "method" in body;
  return send("POST", "/mcp", {
    ...options,
    body: isMethod ? { jsonrpc: "2.0", id: 1, ...body } : body,
    headers: { accept: "application/json, text/event-stream", ...options.headers },
  });
}

test("no key, a wrong key, a session, pages of others and other verbs are refused", async () => {
  const { apiKey } = website;
  const ping = { method: "ping" };
  const none = await post(ping);
  expect(none).toMatchObject({ status: 401, body: { error: { data: { code: "AUTH_REQUIRED" } } } });
  expect(none.headers.get("www-authenticate")).toBe("Bearer");
  expect(await post(ping, { apiKey: "nonsense" })).toMatchObject({
    status: 401,
    body: { error: { data: { code: "INVALID_API_KEY" } } },
  });
  expect((await post(ping, { headers: { cookie: "lookout_session=nonsense" } })).status).toBe(401);
  expect((await post(ping, { apiKey, headers: { origin: "https://evil.example" } })).status).toBe(403);
  expect((await post(ping, { apiKey, headers: { origin: new URL(inject("lookout").baseUrl).origin } })).status).toBe(
    200,
  );
  for (const verb of ["GET", "DELETE"])
    expect((await send(verb, "/mcp", { apiKey, headers: { accept: "text/event-stream" } })).status).toBe(405);
});

test("a page that gave its host name the service's address is refused", async () => {
  const { hostname, port } = new URL(inject("lookout").baseUrl);
  const headers = { host: `evil.example:${port}`, origin: `http://evil.example:${port}` };
  const outgoing = request({
    hostname,
    port,
    path: "/mcp",
    method: "POST",
    headers: { ...headers, "x-api-key": website.apiKey },
  });
  const answer = once(outgoing, "response");
  outgoing.end("{}");
  const [response] = await answer;
  expect(response.statusCode).toBe(403);
  response.resume();
});

test.each([
  ["no JSON", "{"],
  ["no message", "{}"],
  ["an empty list", "[]"],
  ["null", "null"],
  ["a text", '"ping"'],
  ["no method", '{"jsonrpc": "2.0", "id": 1}'],
  ["too many members", JSON.stringify(Array.from({ length: 50_000 }, () => []))],
])("a body with %s is refused with an error of JSON-RPC", async (_, body) => {
  const answer = await post(body, { apiKey: website.apiKey });
  expect(answer).toMatchObject({ status: 400, body: { jsonrpc: "2.0", error: { message: expect.any(String) } } });
});

test("a list of messages is refused, whatever version of the protocol was agreed on, and none of them is answered", async () => {
  const { apiKey } = await createWebsite();
  const list = (id: number) => ({ jsonrpc: "2.0", id, method: "tools/list" });
  for (const version of [undefined, "2025-11-25", "2025-06-18", "2025-03-26"])
    for (const messages of [[list(1)], [list(1), list(2)], Array.from({ length: 100 }, (_, id) => list(id))]) {
      const headers: Record<string, string> = version === undefined ? {} : { "mcp-protocol-version": version };
      const { status, body } = await post(messages, { apiKey, headers });
      expect(status).toBe(400);
      expect(JSON.stringify(body)).toContain("batches are not accepted");
      expect(JSON.stringify(body)).not.toContain("list_websites");
    }
});

test.each([
  ["no name", {}],
  ["arguments that are a list", { name: "query", arguments: [] }],
  ["a name of an inherited member", { name: "constructor" }],
  ["arguments of other types", { name: "query", arguments: { types: { "0": {} }, limit: "many", filters: [null, 1] } }],
  ["nested nonsense", { name: "query", arguments: { types: [["a"], null, 1], preset: "today" } }],
])("a call with %s is answered as an error", async (_, params) => {
  const { status, body } = await post({ method: "tools/call", params }, { apiKey: website.apiKey });
  expect(status).toBe(200);
  const { error, result } = body as { error?: object; result?: { isError?: boolean } };
  expect(error !== undefined || result?.isError === true).toBe(true);
  expect(JSON.stringify(body)).not.toContain("INTERNAL_SERVER_ERROR");
});
