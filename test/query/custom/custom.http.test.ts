import { randomUUID } from "node:crypto";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { QueryService } from "../../../src/gen/lookout/v1/query_pb.ts";
import { customTables } from "../../../src/query/custom/tables.ts";
import type { QuestdbReader } from "../../../src/store/questdb/questdbReader.ts";
import { sessionPlaceUs } from "../../../src/store/questdb/sessionPlace.ts";
import { send } from "../../kit/calls/request.ts";
import { createKey, createWebsite, type TestWebsite } from "../../kit/calls/website.ts";
import { startOwnServer } from "../../kit/stack/ownServer.ts";
import { openQuestdb } from "../../kit/stores/testQuestdb.ts";

let reader: QuestdbReader;
let website: TestWebsite;

/** Day in March, event type, visitor, path, properties, interactions. */
const rows = [
  ["01T10:00", "page_view", "v1", "/", null, null],
  ["01T10:01", "page_view", "v1", "/pricing", null, 3],
  ["02T11:00", "custom", "v1", "/pricing", '{"plan":"pro","price":20}', null],
  ["09T12:00", "page_view", "v2", "/", null, 5],
  ["09T12:01", "custom", "v2", "/", '{"plan":"free","price":"0"}', null],
  ["09T12:02", "custom", "v2", "", '{"plan":"pro","price":30.5}', null],
] as const;

beforeAll(async () => {
  reader = openQuestdb();
  website = await createWebsite();
  for (const [index, [time, type, visitor, path, properties, interactions]] of rows.entries())
    await reader.read(
      "INSERT INTO events (ts, website_id, event_key, event_type, name, anonymous_id, path, properties, interaction_count) " +
        "VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
      [`2026-03-${time}:00.000Z`, website.websiteId, index, type, "n", visitor, path, properties, interactions],
    );
  const insertDay = (page: string, views: number) =>
    reader.read(
      "INSERT INTO daily_aggregates (ts, website_id, page, total_views, top_referrers) VALUES ($1, $2, $3, $4, $5)",
      ["2026-03-01T00:00:00.000Z", website.websiteId, page, views, '[{"source":"Direct","count":1}]'],
    );
  await insertDay("/", 1);
  await insertDay("/gone", 0);
  const startUs = Date.UTC(2026, 2, 1, 10) * 1_000;
  for (const [index, last] of [1_772_359_200_000, null].entries())
    await reader.read(
      "INSERT INTO sessions (ts, started, website_id, session_key, session_id, last_activity_ms) VALUES ($1, $2, $3, $4, $5, $6)",
      [sessionPlaceUs(website.websiteId, startUs), startUs, website.websiteId, index, `s${index}`, last],
    );
  for (const [table, count] of [
    ["events", rows.length],
    ["daily_aggregates", 2],
    ["sessions", 2],
  ] as const)
    await vi.waitFor(
      async () => {
        const found = await reader.read(`SELECT count() AS n FROM ${table} WHERE website_id = $1`, [website.websiteId]);
        expect(found).toEqual([{ n: count }]);
      },
      { timeout: 100_000 },
    );
});

afterAll(() => reader.close());

function custom(query: object, more: object = {}, path = `/v1/query/custom?website_id=${website.websiteId}`) {
  const body = { query, startDate: "2026-03-01", endDate: "2026-03-31", ...more };
  return send("POST", path, { body, apiKey: website.apiKey });
}

async function dataOf(query: object, more: object = {}): Promise<unknown> {
  const { status, body } = await custom(query, more);
  expect(body).toMatchObject({ success: true });
  expect(status).toBe(200);
  // Checked by the line above.
  return (body as { data: unknown }).data;
}

describe("4.5 POST /v1/query/custom", () => {
  test("groups, counts, filters and orders; rows come with their number and time", async () => {
    const { body } = await custom({
      table: "events",
      selects: [
        { aggregate: "count", alias: "views" },
        { field: "anonymous_id", aggregate: "uniq" },
        { field: "interaction_count", aggregate: "max" },
      ],
      filters: [{ field: "event_type", operator: "eq", value: "page_view" }],
      groupBy: ["path"],
      orderBy: [{ field: "views", descending: true }],
    });
    expect(body).toEqual({
      success: true,
      requestId: expect.any(String),
      data: [
        { path: "/", views: 2, uniq_anonymous_id: 2, max_interaction_count: 5 },
        { path: "/pricing", views: 1, uniq_anonymous_id: 1, max_interaction_count: 3 },
      ],
      meta: { rowCount: 2, executionTime: expect.any(Number) },
    });
  });
  test("sums and compares properties of custom events, as text and by size", async () => {
    const selects = [
      { field: "properties.price", aggregate: "sum", alias: "revenue" },
      { field: "properties.price", aggregate: "avg", alias: "average" },
    ];
    const filters = [{ field: "properties.price", op: "gte", value: 20 }];
    expect(await dataOf({ table: "events", selects, filters, groupBy: ["properties.plan"] })).toEqual([
      { "properties.plan": "pro", revenue: 50.5, average: 25.25 },
    ]);
  });
  test("a granularity adds buckets in the time zone", async () => {
    const query = { table: "events", selects: [{ aggregate: "count" }] };
    expect(await dataOf(query, { granularity: "week", timezone: "Europe/Berlin" })).toEqual([
      { date: "2026-02-23", count: 2 },
      { date: "2026-03-02", count: 1 },
      { date: "2026-03-09", count: 3 },
    ]);
    expect(await dataOf(query, { granularity: "month" })).toEqual([{ date: "2026-03-01", count: 6 }]);
    expect(await dataOf(query, { granularity: "hour", endDate: "2026-03-01", timezone: "Asia/Kathmandu" })).toEqual([
      { date: "2026-03-01T15:00:00+05:45", count: 2 },
    ]);
  });
  test("without aggregates and groups it lists rows, oldest first, with times as Unix ms", async () => {
    const selects = [{ field: "timestamp", alias: "at" }, { field: "path" }, { field: "properties" }];
    const filters = [{ field: "timestamp", operator: "gte", value: "2026-03-09T12:01:00Z" }];
    expect(await dataOf({ table: "events", selects, filters })).toEqual([
      { at: Date.UTC(2026, 2, 9, 12, 1), path: "/", properties: { plan: "free", price: "0" } },
      { at: Date.UTC(2026, 2, 9, 12, 2), path: null, properties: { plan: "pro", price: 30.5 } },
    ]);
    expect(await dataOf({ table: "events", selects: [{ field: "path" }] }, { limit: 1 })).toEqual([{ path: "/" }]);
  });
  test("having filters groups by their figures", async () => {
    const selects = [{ aggregate: "count", alias: "n" }];
    const having = [
      { field: "n", operator: "gt", value: 1 },
      { field: "path", operator: "ne", value: "/" },
    ];
    expect(await dataOf({ table: "events", selects, groupBy: ["path"], having })).toEqual([{ path: "/pricing", n: 2 }]);
  });
  test("erased records are no rows; a daily record is found by its day in any zone", async () => {
    const days = { startDate: "2026-03-01", endDate: "2026-03-01", timezone: "Pacific/Auckland" };
    const selects = [{ field: "date" }, { field: "page" }, { field: "total_views" }, { field: "top_referrers" }];
    expect(await dataOf({ table: "daily_aggregates", selects }, days)).toEqual([
      { date: "2026-03-01", page: "/", total_views: 1, top_referrers: [{ source: "Direct", count: 1 }] },
    ]);
    expect(await dataOf({ table: "sessions", selects: [{ field: "session_id" }, { field: "last_activity" }] })).toEqual(
      [{ session_id: "s0", last_activity: 1_772_359_200_000 }],
    );
  });
  test("a condition on the website keeps all of its rows or none, in every table", async () => {
    const { websiteId } = website;
    const countOf = async (table: string, filters: object[]) => {
      const data = await dataOf({ table, selects: [{ aggregate: "count", alias: "n" }], filters });
      return (data as { n: number }[])[0]?.n;
    };
    const field = "website_id";
    for (const { name } of new Set(customTables.values())) {
      const all = await countOf(name, []);
      for (const [operator, value, kept] of [
        ["eq", websiteId, all],
        ["in", [websiteId, randomUUID()], all],
        ["ne", randomUUID(), all],
        ["not_contains", websiteId, 0],
        ["eq", randomUUID(), 0],
        ["ne", websiteId, 0],
        ["not_in", [websiteId], 0],
      ])
        expect(await countOf(name, [{ field, operator, value }]), `${name} ${operator}`).toBe(kept);
    }
  });
  test("an alias may be any text", async () => {
    for (const alias of ["__proto__", "constructor", '"; DROP TABLE events; --', "é 1"]) {
      const data = await dataOf({ table: "events", selects: [{ aggregate: "count", alias }] });
      expect(JSON.stringify(data)).toBe(`[{${JSON.stringify(alias)}:6}]`);
    }
  });
  test("aliases of tables are accepted", async () => {
    for (const table of ["error_spans", "web_vitals_spans", "llm_calls", "outgoing_links"])
      expect(await dataOf({ table, selects: [{ aggregate: "count" }] })).toEqual([{ count: 0 }]);
  });
  test("gRPC answers the same", async () => {
    const client = createClient(QueryService, createGrpcTransport({ baseUrl: inject("lookout").baseUrl }));
    const headers = { authorization: `Bearer ${website.apiKey}` };
    const query = { table: "events", selects: [{ aggregate: "count", alias: "n" }], groupBy: ["event_type"] };
    const request = { websiteId: website.websiteId, query: { query, startDate: "2026-03-01", endDate: "2026-03-31" } };
    expect(await client.customQuery(request, { headers })).toMatchObject({
      success: true,
      data: [
        { event_type: "custom", n: 3 },
        { event_type: "page_view", n: 3 },
      ],
      meta: { rowCount: 2 },
    });
    const wrong = { ...request, query: { ...request.query, query: { ...query, table: "event" } } };
    expect(await client.customQuery(wrong, { headers }).catch(ConnectError.from)).toMatchObject({
      code: Code.InvalidArgument,
    });
  });
});

const counted = { table: "events", selects: [{ aggregate: "count" }] };

describe("4.5 mistakes are named, with the nearest name", () => {
  for (const [what, query, more, field, suggestion] of [
    ["table", { ...counted, table: "event" }, {}, "query.table", "events"],
    [
      "column",
      { table: "events", selects: [{ field: "path" }, { field: "pth" }] },
      {},
      "query.selects[1].field",
      "path",
    ],
    [
      "aggregate",
      { table: "events", selects: [{ field: "path", aggregate: "unique" }] },
      {},
      "query.selects[0].aggregate",
      "uniq",
    ],
    [
      "aggregate for text",
      { table: "events", selects: [{ field: "path", aggregate: "sum" }] },
      {},
      "query.selects[0].aggregate",
    ],
    [
      "operator",
      { ...counted, filters: [{ field: "path", operator: "starts", value: "x" }] },
      {},
      "query.filters[0].operator",
    ],
    [
      "operator",
      { ...counted, filters: [{ field: "path", operator: "equ", value: "x" }] },
      {},
      "query.filters[0].operator",
      "eq",
    ],
    [
      "operator for text",
      { ...counted, filters: [{ field: "path", operator: "gt", value: 1 }] },
      {},
      "query.filters[0].operator",
    ],
    [
      "value",
      { ...counted, filters: [{ field: "interaction_count", operator: "gt", value: "many" }] },
      {},
      "query.filters[0].value",
    ],
    [
      "value",
      { ...counted, filters: [{ field: "timestamp", operator: "gt", value: "then" }] },
      {},
      "query.filters[0].value",
    ],
    [
      "filter",
      { ...counted, filters: [{ field: "contry", operator: "eq", value: "DE" }] },
      {},
      "query.filters[0].field",
      "country",
    ],
    ["group", { ...counted, groupBy: ["browsr"] }, {}, "query.groupBy[0]", "browser"],
    [
      "ungrouped select",
      { table: "events", selects: [{ field: "path" }, { aggregate: "count" }] },
      {},
      "query.selects[0].field",
    ],
    [
      "alias",
      {
        table: "events",
        selects: [
          { field: "path", alias: "x" },
          { field: "title", alias: "x" },
        ],
      },
      {},
      "query.selects[1].alias",
    ],
    ["order", { ...counted, orderBy: [{ field: "cuont" }] }, {}, "query.orderBy[0].field", "count"],
    ["having", { ...counted, having: [{ field: "path", operator: "eq", value: "/" }] }, {}, "query.having[0].field"],
    [
      "having without groups",
      { table: "events", selects: [{ field: "path" }], having: [{ field: "path", operator: "eq", value: "/" }] },
      {},
      "query.having",
    ],
    ["date", counted, { startDate: "soon" }, "startDate"],
    ["granularity", counted, { granularity: "wek" }, "granularity", "week"],
    ["hours over months", counted, { granularity: "hour", endDate: "2026-06-01" }, "granularity"],
    ["zone", counted, { timezone: "Europe/Berlinn" }, "timezone", "Europe/Berlin"],
    ["limit", counted, { limit: 10_001 }, "limit"],
  ] as [string, object, object, string, string?][])
    test(`${what}: ${field}`, async () => {
      const { status, body } = await custom(query, more);
      expect(status).toBe(400);
      expect(body).toMatchObject({
        code: "VALIDATION_ERROR",
        details: [{ field, message: expect.any(String), ...(suggestion === undefined ? {} : { suggestion }) }],
      });
    });
});

describe("4.5 access", () => {
  test("MISSING_WEBSITE_ID without a website", async () => {
    const { status, body } = await custom(counted, {}, "/v1/query/custom");
    expect({ status, body }).toMatchObject({ status: 400, body: { code: "MISSING_WEBSITE_ID" } });
  });
  test("ACCESS_DENIED for another's website, also a public one, and for a key without the scope", async () => {
    const others = [await createWebsite(), await createWebsite({ publicAccess: true })];
    for (const { websiteId } of others) {
      const { status, body } = await custom(counted, {}, `/v1/query/custom?website_id=${websiteId}`);
      expect({ status, body }).toMatchObject({ status: 403, body: { code: "ACCESS_DENIED" } });
    }
    const writer = await createKey({ organizationId: website.organizationId, scopes: ["write:events"] });
    const path = `/v1/query/custom?website_id=${website.websiteId}`;
    expect((await send("POST", path, { body: {}, apiKey: writer })).status).toBe(403);
    expect((await send("POST", path, { body: {} })).status).toBe(401);
  });
});

test("4.5, 7 QUERY_ERROR without its text when the statement fails; SERVICE_UNAVAILABLE while the store is unavailable", async () => {
  const { handlers } = await import("../../../src/main/handlers.ts");
  const path = `/v1/query/custom?website_id=${website.websiteId}`;
  const body = { query: counted, startDate: "2026-03-01", endDate: "2026-03-31" };
  for (const [questdbPg, status, code] of [
    // A store that answers, but lacks the table.
    [inject("lookout").databaseUrl, 400, "QUERY_ERROR"],
    // Port 1 is reserved (tcpmux), and nothing listens there.
    ["postgres://admin:quest@127.0.0.1:1/qdb", 503, "SERVICE_UNAVAILABLE"],
  ] as const) {
    const server = await startOwnServer(handlers, { QUESTDB_PG: questdbPg });
    try {
      const answer = await send("POST", path, { body, apiKey: website.apiKey, baseUrl: server.baseUrl });
      expect(answer).toMatchObject({ status, body: { code } });
      expect(JSON.stringify(answer.body)).not.toMatch(/relation|events/);
    } finally {
      await server.close();
    }
  }
});
