import { randomUUID } from "node:crypto";
import { create } from "@bufbuild/protobuf";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { describe, expect, inject, test, vi } from "vitest";
import { QuerySchema, QueryService } from "../../../src/gen/lookout/v1/query_pb.ts";
import { type JsonAnswer, send } from "../../kit/calls/request.ts";
import { createKey, createWebsite, type TestWebsite } from "../../kit/calls/website.ts";

// Long past its retention: a bucket without events has no figures.
const day = "2026-03-10";
const nextDay = "2026-03-11";
const noonMs = Date.parse(`${day}T12:00:00Z`);

type Sent = { name?: string; visitor?: string; session?: string; minute?: number; path?: string; referrer?: string };

/** Sends events through POST /batch and waits until a query counts them. */
async function sendEvents(website: TestWebsite, events: readonly Sent[]): Promise<void> {
  const body = events.map(
    ({ name = "screen_view", visitor = "v1", session = "s1", minute = 0, path = "/", referrer = "" }) => ({
      type: "track",
      payload: {
        name,
        anonymousId: visitor,
        sessionId: session,
        sessionStartTime: noonMs,
        timestamp: noonMs + minute * 60_000,
        path,
        title: "Title",
        referrer,
        screen_resolution: "1920x1080",
        viewport_size: "1280x720",
        timezone: "Europe/Berlin",
        language: "de-DE",
      },
    }),
  );
  const answer = await send("POST", `/batch?website_id=${website.websiteId}`, { body });
  expect(answer.body).toMatchObject({ status: "success", processed: events.length });
  await vi.waitFor(
    async () => {
      const { body } = await query(website, { parameters: ["summary_metrics"], startDate: day, endDate: day });
      expect(body).toMatchObject({ data: [{ data: [{ total_events: events.length }] }] });
    },
    { timeout: 100_000, interval: 100 },
  );
}

function query(website: TestWebsite, body: unknown, more = ""): Promise<JsonAnswer> {
  return send("POST", `/v1/query?website_id=${website.websiteId}${more}`, { body, apiKey: website.apiKey });
}

async function listTypes(): Promise<{ types: string[]; configs: Record<string, object>; presets: string[] }> {
  const { body } = await send("GET", "/v1/query/types");
  expect(body).toMatchObject({ types: expect.any(Array), configs: expect.any(Object), presets: expect.any(Array) });
  // Checked by the line above.
  return body as Awaited<ReturnType<typeof listTypes>>;
}

/** The whole body of an error, whatever the request's id is. */
function errorBody(code: string, error: unknown, details?: unknown[]) {
  return { success: false, error, code, requestId: expect.any(String), ...(details === undefined ? {} : { details }) };
}

const range = { startDate: day, endDate: day };

/** Fields of outgoing links, and of the visits they belong to. */
const linkFilters = [
  ...["path", "href", "domain", "text"],
  ...["referrer", "referrer_source", "referrer_group", "traffic_source", "referrer_url", "entry_page", "exit_page"],
  ...["country", "region", "city", "language", "timezone", "browser_name", "browser", "os_name", "os"],
  ...["browser_version", "os_version", "device_type", "device", "connection_type"],
  ...["screen_resolution", "viewport_size", "viewport"],
  ...["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"],
  ...["session_id", "anonymous_id", "visitor_type", "website_id", "properties.<key>"],
];

describe("4.1 POST /v1/query", () => {
  test("a single query answers each parameter in the order sent, with its id and meta", async () => {
    const website = await createWebsite();
    await sendEvents(website, [
      { path: "/", referrer: "https://www.google.com/search?q=x" },
      { path: "/pricing", minute: 1 },
      { path: "/", visitor: "v2", session: "s2", minute: 2 },
      { name: "sign_up", visitor: "v2", session: "s2", minute: 3 },
    ]);
    const { status, body } = await query(website, {
      id: "first",
      parameters: ["pages", { name: "page_views", id: "views", granularity: "daily" }, "summary_metrics"],
      ...range,
      limit: 10,
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      requestId: expect.any(String),
      queryId: "first",
      data: [
        {
          parameter: "pages",
          success: true,
          data: [
            { path: "/", name: "/", views: 2, pageviews: 2, visitors: 2, percentage: 66.67 },
            { path: "/pricing", name: "/pricing", views: 1, pageviews: 1, visitors: 1, percentage: 33.33 },
          ],
          error: null,
        },
        { parameter: "views", success: true, data: [{ date: day, value: 3 }], error: null },
        {
          parameter: "summary_metrics",
          success: true,
          data: [
            {
              pageviews: 3,
              unique_visitors: 2,
              sessions: 2,
              bounce_rate: 0,
              avg_session_duration: 60,
              median_session_duration: expect.closeTo(60, 0),
              pages_per_session: 1.5,
              total_events: 4,
            },
          ],
          error: null,
        },
      ],
      meta: {
        parameters: ["pages", { name: "page_views", id: "views", granularity: "daily" }, "summary_metrics"],
        total_parameters: 3,
        page: 1,
        limit: 10,
        filters_applied: 0,
        consistent: expect.any(Boolean),
        unknown: [{ from: `${day}T00:00:00.000Z`, until: `${nextDay}T00:00:00.000Z`, reason: "retention" }],
        // The website has no daily figures.
        past_retention: { daily: [], raw: ["pages", "views", "summary_metrics"], from: "" },
        hints: [],
      },
    });
  });

  test("a batch answers each query; queryId is empty where no id was sent", async () => {
    const website = await createWebsite();
    const { status, body } = await query(website, [
      { id: "a", parameters: ["visitors"], ...range },
      { parameters: ["sessions"], ...range, filters: [{ field: "country", operator: "eq", value: "DE" }], page: 2 },
    ]);
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      requestId: expect.any(String),
      batch: true,
      results: [
        {
          queryId: "a",
          data: [{ parameter: "visitors", success: true, data: [{ date: day, value: null }], error: null }],
          meta: {
            parameters: ["visitors"],
            total_parameters: 1,
            page: 1,
            limit: 100,
            filters_applied: 0,
            consistent: expect.any(Boolean),
            unknown: [{ from: `${day}T00:00:00.000Z`, until: `${nextDay}T00:00:00.000Z`, reason: "not_started" }],
            hints: [],
          },
        },
        {
          queryId: "",
          data: [{ parameter: "sessions", success: true, data: [], error: null }],
          meta: {
            parameters: ["sessions"],
            total_parameters: 1,
            page: 2,
            limit: 100,
            filters_applied: 1,
            consistent: expect.any(Boolean),
            unknown: [{ from: `${day}T00:00:00.000Z`, until: `${nextDay}T00:00:00.000Z`, reason: "not_started" }],
            hints: [],
          },
        },
      ],
    });
  });

  test("4.1 weeks begin on Monday in the request's time zone, and a visitor of several days is one of the week", async () => {
    const website = await createWebsite();
    const at = (visitor: string, days: number) => ({
      name: "page_view",
      path: "/",
      anonymousId: visitor,
      sessionId: `${visitor} ${days}`,
      timestamp: noonMs + days * 86_400_000,
    });
    // Tuesday, Thursday, Sunday at noon, which is Monday in Auckland, and Wednesday of another month.
    const body = [at("ada", 0), at("ada", 2), at("ada", 5), at("bob", 22)];
    const sent = await send("POST", `/batch?website_id=${website.websiteId}`, { body, apiKey: website.apiKey });
    expect(sent.status).toBe(200);
    const range = { parameters: ["visitors"], startDate: day, endDate: "2026-04-05" };
    const buckets = async (granularity: string, zone: string) => {
      const answer = await query(website, { ...range, granularity }, `&timezone=${zone}`);
      const [first] = (answer.body as { data: { data: { date: string; value: number | null }[] }[] }).data;
      return first?.data.map(({ date, value }) => `${date} ${value ?? "-"}`);
    };
    const months = ["2026-03-01 1", "2026-04-01 1"];
    await expect.poll(() => buckets("monthly", "UTC"), { timeout: 100_000 }).toEqual(months);
    const weeks = ["2026-03-09 1", "2026-03-16 -", "2026-03-23 -", "2026-03-30 1"];
    expect(await buckets("weekly", "UTC")).toEqual(weeks);
    expect(await buckets("week", "Pacific/Auckland")).toEqual(["2026-03-09 1", "2026-03-16 1", ...weeks.slice(2)]);
  });

  test("bounds and buckets are both in the request's time zone", async () => {
    const website = await createWebsite();
    await sendEvents(website, [{}]);
    // 12:00 in UTC is 01:00 of the next day in Auckland.
    const { body } = await query(
      website,
      { parameters: ["page_views"], startDate: day, endDate: "2026-03-11" },
      "&timezone=Pacific/Auckland",
    );
    expect(body).toMatchObject({
      data: [
        {
          data: [
            { date: day, value: null },
            { date: nextDay, value: 1 },
          ],
        },
      ],
    });
    const hourly = await query(
      website,
      { parameters: ["page_views"], startDate: "2026-03-11T01:00", endDate: "2026-03-11T03:00", granularity: "hourly" },
      "&timezone=Pacific/Auckland",
    );
    expect(hourly.body).toMatchObject({
      data: [
        {
          data: [
            { date: "2026-03-11T01:00:00+13:00", value: 1 },
            { date: "2026-03-11T02:00:00+13:00", value: null },
          ],
        },
      ],
    });
  });

  test("every preset is accepted", async () => {
    const website = await createWebsite();
    const { presets } = await listTypes();
    const { status, body } = await query(
      website,
      presets.map((preset) => ({ parameters: ["summary_metrics"], preset })),
    );
    expect(status).toBe(200);
    expect(body).toMatchObject({ results: presets.map(() => ({ data: [{ success: true }] })) });
  });

  test("a field that a type cannot filter by fails that parameter alone and lists the fields of the type", async () => {
    const website = await createWebsite();
    const { status, body } = await query(website, {
      parameters: ["outbound_links", "countries"],
      ...range,
      filters: [{ field: "title", op: "eq", value: "Home" }],
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      data: [
        {
          parameter: "outbound_links",
          success: false,
          data: [],
          error: expect.stringContaining(`Use one of: ${linkFilters.join(", ")}`),
        },
        { parameter: "countries", success: true, data: [], error: null },
      ],
    });
  });

  test("the detail of a parameter that fails alone names the field and the nearest one, also in a batch and in columns", async () => {
    const website = await createWebsite();
    const asked = {
      parameters: ["countries"],
      ...range,
      filters: [
        { field: "path", op: "eq", value: "/" },
        { field: "contry", op: "eq", value: "DE" },
      ],
    };
    const detail = (at: string) => ({
      field: `${at}filters[1].field`,
      message: expect.stringContaining("not permitted"),
      suggestion: "country",
    });
    const one = await query(website, asked);
    expect(one.body).toMatchObject({ data: [{ success: false, detail: detail("") }] });
    const batch = await query(website, [{ parameters: ["countries"], ...range }, asked]);
    expect(batch.body).toMatchObject({ results: [{}, { data: [{ success: false, detail: detail("[1].") }] }] });
    const client = createClient(QueryService, createGrpcTransport({ baseUrl: inject("lookout").baseUrl }));
    const columns = await client.queryColumns(
      {
        websiteId: website.websiteId,
        query: create(QuerySchema, {
          parameters: [{ name: "countries" }],
          preset: "last_7d",
          filters: [{ field: "contry", op: "eq", value: { kind: { case: "stringValue", value: "DE" } } }],
        }),
      },
      { headers: { authorization: `Bearer ${website.apiKey}` } },
    );
    expect(columns.data[0]).toMatchObject({
      success: false,
      detail: { field: "filters[0].field", suggestion: "country" },
    });
  });

  test("an organization is all of its websites that the key reaches", async () => {
    const website = await createWebsite();
    await sendEvents(website, [{}]);
    const ask = (organizationId: string, apiKey: string) =>
      send("POST", `/v1/query?organization_id=${organizationId}`, {
        apiKey,
        body: { parameters: ["page_views"], ...range },
      });
    expect((await ask(website.organizationId, website.apiKey)).body).toMatchObject({
      data: [{ data: [{ date: day, value: 1 }] }],
    });
    const elsewhere = await createKey({ organizationId: website.organizationId, websiteIds: [randomUUID()] });
    expect((await ask(website.organizationId, elsewhere)).body).toMatchObject({
      data: [{ data: [{ date: day, value: 0 }] }],
    });
    expect((await ask(randomUUID(), website.apiKey)).body).toEqual(denied);
  });
});

const denied = errorBody(
  "ACCESS_DENIED",
  "This does not exist or your credentials do not reach it. GET /v1/query/websites lists what they reach",
);
const authRequired = errorBody(
  "AUTH_REQUIRED",
  "Send an API key as 'Authorization: Bearer <key>' or 'x-api-key: <key>', or sign in and send the session's cookie",
);

describe("5 access to queries", () => {
  const body = { parameters: ["page_views"], ...range };
  test("without credentials: AUTH_REQUIRED, before mistakes in the body are reported", async () => {
    const { websiteId } = await createWebsite();
    for (const path of [`/v1/query?website_id=${websiteId}`, `/v1/query?website_id=${randomUUID()}`, "/v1/query"])
      for (const sent of [body, { parameters: ["nonsense"] }])
        expect(await send("POST", path, { body: sent })).toMatchObject({ status: 401, body: authRequired });
  });
  test("with an unknown, expired or revoked key: INVALID_API_KEY", async () => {
    const { websiteId, organizationId } = await createWebsite();
    const keys = [
      "nonsense",
      await createKey({ organizationId, expired: true }),
      await createKey({ organizationId, revoked: true }),
    ];
    for (const apiKey of keys)
      expect(await send("POST", `/v1/query?website_id=${websiteId}`, { body, apiKey })).toMatchObject({
        status: 401,
        body: { success: false, code: "INVALID_API_KEY" },
      });
  });
  test("a key in x-api-key is accepted", async () => {
    const { websiteId, apiKey } = await createWebsite();
    expect(
      await send("POST", `/v1/query?website_id=${websiteId}`, { body, headers: { "x-api-key": apiKey } }),
    ).toMatchObject({ status: 200 });
  });
  test("without the scope read:data: ACCESS_DENIED", async () => {
    const { websiteId, organizationId } = await createWebsite();
    const apiKey = await createKey({ organizationId, scopes: ["write:events"] });
    expect(await send("POST", `/v1/query?website_id=${websiteId}`, { body, apiKey })).toMatchObject({
      status: 403,
      body: errorBody("ACCESS_DENIED", "This API key lacks the scope read:data. Use a key that has it"),
    });
  });
  test("an unknown, a foreign and an excluded website, monitor or link are refused with the same text", async () => {
    const website = await createWebsite();
    const foreign = await createWebsite();
    const excluded = await createKey({ organizationId: website.organizationId, websiteIds: [randomUUID()] });
    for (const [where, apiKey] of [
      [`website_id=${randomUUID()}`, website.apiKey],
      [`website_id=${foreign.websiteId}`, website.apiKey],
      [`website_id=${website.websiteId}`, excluded],
      [`schedule_id=${randomUUID()}`, website.apiKey],
      [`link_id=${randomUUID()}`, website.apiKey],
    ] as const)
      expect(await send("POST", `/v1/query?${where}`, { body, apiKey })).toMatchObject({ status: 403, body: denied });
  });
  test("a website with a foreign organization is refused, with its own it is answered", async () => {
    const { websiteId, organizationId, apiKey } = await createWebsite();
    const foreign = await createWebsite();
    for (const other of [foreign.organizationId, randomUUID()])
      expect(
        await send("POST", `/v1/query?website_id=${websiteId}&organization_id=${other}`, { body, apiKey }),
      ).toMatchObject({ status: 403, body: denied });
    const own = `/v1/query?website_id=${websiteId}&organization_id=${organizationId}`;
    expect(await send("POST", own, { body, apiKey })).toMatchObject({ status: 200 });
  });
  test("a public website answers public types to anyone, and no others", async () => {
    const { websiteId } = await createWebsite({ publicAccess: true });
    const stranger = await createWebsite();
    const path = `/v1/query?website_id=${websiteId}`;
    expect(await send("POST", path, { body })).toMatchObject({ status: 200 });
    expect(await send("POST", path, { body, apiKey: stranger.apiKey })).toMatchObject({ status: 200 });
    const privateBody = { ...body, parameters: ["page_views", "events"] };
    expect(await send("POST", path, { body: privateBody })).toMatchObject({ status: 401, body: authRequired });
    expect(await send("POST", path, { body: privateBody, apiKey: stranger.apiKey })).toMatchObject({
      status: 403,
      body: denied,
    });
  });
  test("3 a deleted website can be queried with a key, but is no longer public", async () => {
    const website = await createWebsite({ deleted: true, publicAccess: true });
    expect(await query(website, body)).toMatchObject({ status: 200 });
    expect(await send("POST", `/v1/query?website_id=${website.websiteId}`, { body })).toMatchObject({
      status: 401,
      body: authRequired,
    });
  });
  test("without any identifier: MISSING_PROJECT_ID, after mistakes in the body", async () => {
    const { apiKey } = await createWebsite();
    expect(await send("POST", "/v1/query", { body, apiKey })).toMatchObject({
      status: 400,
      body: errorBody(
        "MISSING_PROJECT_ID",
        "Send website_id, website_ids, schedule_id, link_id or organization_id to say what to query; over JSON in the query string",
      ),
    });
    expect(await send("POST", "/v1/query", { body: { parameters: ["nonsense"], ...range }, apiKey })).toMatchObject({
      body: { code: "VALIDATION_ERROR" },
    });
  });
});

describe("7 mistakes in a query", () => {
  const cases: [title: string, body: unknown, code: string, details: unknown[], more?: string][] = [
    [
      "rule 1: an unknown type with a near name",
      { parameters: ["visitors", "top_pagez"], ...range },
      "VALIDATION_ERROR",
      [
        {
          field: "parameters[1]",
          message: 'names the unknown query type "top_pagez"; did you mean "top_pages"?',
          suggestion: "top_pages",
        },
      ],
    ],
    [
      "rule 1: an unknown type far from every name",
      { parameters: [{ name: "quarterly_forecast" }], ...range },
      "VALIDATION_ERROR",
      [
        {
          field: "parameters[0]",
          message: 'names the unknown query type "quarterly_forecast"; GET /v1/query/types lists them',
        },
      ],
    ],
    [
      "rule 1: in a batch the query is named too",
      [
        { parameters: ["visitors"], ...range },
        { parameters: ["visitor"], ...range },
      ],
      "VALIDATION_ERROR",
      [
        {
          field: "[1].parameters[0]",
          message: 'names the unknown query type "visitor"; did you mean "visitors"?',
          suggestion: "visitors",
        },
      ],
    ],
    [
      "rule 2: an unknown preset",
      { parameters: ["visitors"], preset: "last_7_day" },
      "INVALID_DATE_PRESET",
      [
        {
          field: "preset",
          message: expect.stringContaining('not "last_7_day"'),
          suggestion: expect.stringMatching(/^last_7/),
        },
      ],
    ],
    [
      "rule 3: dates that are none",
      { parameters: ["visitors"], startDate: "soon", endDate: "2026-02-30" },
      "VALIDATION_ERROR",
      [
        {
          field: "startDate",
          message: 'must be a day (YYYY-MM-DD) or an ISO 8601 date and time from 1970 to 2199, not "soon"',
        },
        {
          field: "endDate",
          message: 'is no day of the calendar: "2026-02-30"',
        },
      ],
    ],
    [
      "rule 3: a parameter's own date",
      { parameters: [{ name: "visitors", start_date: "soon" }], ...range },
      "VALIDATION_ERROR",
      [{ field: "parameters[0].start_date", message: expect.stringContaining('not "soon"') }],
    ],
    [
      "neither preset nor dates",
      { parameters: ["visitors", "sessions"] },
      "VALIDATION_ERROR",
      [
        { field: "startDate", message: "is required without a preset; send YYYY-MM-DD or ISO 8601" },
        { field: "endDate", message: "is required without a preset; send YYYY-MM-DD or ISO 8601" },
      ],
    ],
    [
      "the end before the start",
      { parameters: ["visitors"], startDate: "2026-03-11", endDate: day },
      "VALIDATION_ERROR",
      [{ field: "endDate", message: "must not be before the start; swap the two or move one" }],
    ],
    [
      "a range of more than ten years",
      { parameters: ["visitors"], startDate: "2010-01-01", endDate: day },
      "VALIDATION_ERROR",
      [{ field: "endDate", message: "must be at most 10 years after the start; shorten the range" }],
    ],
    [
      "an unknown granularity",
      { parameters: ["visitors", { name: "sessions", granularity: "yearly" }], ...range, granularity: "hourli" },
      "VALIDATION_ERROR",
      [
        {
          field: "granularity",
          message: 'must be hourly, daily, weekly, monthly, hour, day, week or month, not "hourli"',
          suggestion: "hourly",
        },
        {
          field: "parameters[1].granularity",
          message: 'must be hourly, daily, weekly, monthly, hour, day, week or month, not "yearly"',
        },
      ],
    ],
    [
      "8 hours over more than 30 days",
      { parameters: ["visitors"], startDate: "2026-03-01", endDate: "2026-03-31", granularity: "hourly" },
      "VALIDATION_ERROR",
      [{ field: "granularity", message: "may be hourly for up to 30 days only; use daily or a shorter range" }],
    ],
    [
      "an unknown time zone",
      { parameters: ["visitors"], ...range },
      "VALIDATION_ERROR",
      [
        {
          field: "timezone",
          message: 'must be an IANA time zone such as Europe/Berlin, not "Europe/Berlim"',
          suggestion: "Europe/Berlin",
        },
      ],
      "&timezone=Europe/Berlim",
    ],
    [
      "a filter value of the wrong kind",
      { parameters: ["visitors"], ...range, filters: [{ field: "path", op: "eq", value: { a: 1 } }] },
      "VALIDATION_ERROR",
      [{ field: "filters[0].value", message: "must be a string, a number or an array of them" }],
    ],
    [
      "an empty batch",
      [],
      "VALIDATION_ERROR",
      [{ field: "", message: "needs a query: send an object with parameters, or an array of such objects" }],
    ],
  ];
  for (const [title, sent, code, details, more] of cases)
    test(title, async () => {
      const { status, body } = await query(await createWebsite(), sent, more);
      expect({ status, body }).toEqual({ status: 400, body: errorBody(code, expect.any(String), details) });
    });
});

describe("4.2 GET /v1/query/types", () => {
  test("lists types, configs and presets without credentials, meta only on request", async () => {
    const { types, configs, presets, ...rest } = await listTypes();
    expect(rest).toEqual({ success: true, requestId: expect.any(String) });
    expect(types).toEqual(
      expect.arrayContaining([
        ...["top_pages", "summary_metrics", "events_by_date", "page_views", "visitors", "sessions", "bounce_rate"],
        ...["pages", "referrers", "countries", "browsers", "devices", "events"],
      ]),
    );
    expect(Object.keys(configs)).toEqual(types);
    expect(configs["outbound_domains"]).toEqual({
      allowedFilters: linkFilters,
      customizable: true,
      defaultLimit: 100,
      publicAccess: false,
    });
    expect(presets).toContain("last_7d");
  });
  test("has titles, descriptions and fields with include_meta", async () => {
    const { body } = await send("GET", "/v1/query/types?include_meta=true");
    expect(body).toMatchObject({
      configs: {
        bounce_rate: {
          meta: {
            title: "Bounce rate over time",
            category: "summary",
            output_fields: [
              { name: "date", type: "string", label: "Date" },
              { name: "value", type: "number", label: "Bounce rate", unit: "percent" },
            ],
            supports_granularity: true,
          },
        },
      },
    });
  });
});

test("4.3 GET /v1/query/websites lists what the key reaches", async () => {
  const website = await createWebsite({ domain: "shop.example" });
  const { body } = await send("GET", "/v1/query/websites", { apiKey: website.apiKey });
  expect(body).toEqual({
    success: true,
    requestId: expect.any(String),
    websites: [
      {
        id: website.websiteId,
        name: "Test",
        domain: "shop.example",
        isPublic: false,
        createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      },
    ],
    total: 1,
  });
  expect(await send("GET", "/v1/query/websites")).toMatchObject({ status: 401, body: authRequired });
  expect(inject("lookout").websiteId).not.toBe(website.websiteId);
});
