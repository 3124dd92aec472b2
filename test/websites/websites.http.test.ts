import { randomUUID } from "node:crypto";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { WebsiteService } from "../../src/gen/lookout/v1/websites_pb.ts";
import { handlers } from "../../src/main/handlers.ts";
import { send } from "../kit/calls/request.ts";
import { createKey, createWebsite, type TestWebsite } from "../kit/calls/website.ts";
import * as calls from "../kit/calls/websiteCalls.ts";
import { instant, type Key, pageView, type ShownWebsite, sendEvents } from "../kit/calls/websiteCalls.ts";
import { startOwnServer } from "../kit/stack/ownServer.ts";
import { noonDaysAgo } from "../kit/stores/noonDaysAgo.ts";

let owner: TestWebsite;
let other: TestWebsite;

beforeAll(async () => {
  [owner, other] = await Promise.all([createWebsite(), createWebsite()]);
});

const post = (path: string, body: unknown, key: Key = owner) => calls.post(path, body, key);
const create = (more: Record<string, unknown> = {}, key: Key = owner) => calls.create(more, key);
const get = async (id: string) => (await post("get", { id })).body as ShownWebsite;

describe("2 the website object", () => {
  test("has every field, with the defaults", async () => {
    const made = await create({ name: "My shop" });
    expect(made).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      clientId: expect.stringMatching(/^\S{16}$/),
      organizationId: owner.organizationId,
      domain: "shop.example",
      name: "My shop",
      timezone: "UTC",
      publicAccess: false,
      trackingStatus: "pending",
      createdAt: instant,
      updatedAt: instant,
      deletedAt: null,
      retention: { rawEventsDays: 90, aggregatedDays: 730, performanceDays: 90, customEventsDays: 90 },
      pendingRetention: null,
      goals: { goals: [], funnel: [], funnels: [] },
      paths: { trailingSlash: "keep", queryParameters: [] },
      privacy: { place: "city", ids: "sent", audienceOnly: false, smallestGroup: 10 },
      rules: { networks: [], countries: [], hosts: [], onlyHosts: [], paths: [], referrers: [], userAgents: [] },
      tags: { names: [] },
    });
    expect(await get(made.id)).toEqual(made);
  });

  test("stores the sent fields; of a URL only the host", async () => {
    const given = { domain: "https://www.Müller.de/shop", timezone: "europe/berlin", publicAccess: true };
    expect(await create(given)).toMatchObject({
      domain: "www.xn--mller-kva.de",
      timezone: "Europe/Berlin",
      publicAccess: true,
    });
  });

  test.each([
    ["name", { name: "" }],
    ["name", { name: " " }],
    ["name", { name: "a\u0000b" }],
    ["name", { name: "x".repeat(257) }],
    ["domain", { domain: "not a domain" }],
    ["timezone", { timezone: "Mars/Base" }],
  ])("an invalid %s is named: %j", async (field, more) => {
    const { status, body } = await post("create", { name: "Shop", domain: "shop.example", ...more });
    expect(body).toMatchObject({ code: "VALIDATION_ERROR", details: [{ field }] });
    expect(status).toBe(400);
  });

  test("paths: new events are stored by the rules of the website, and wrong rules are named", async () => {
    const { id } = await create();
    const paths = { trailingSlash: "remove", queryParameters: ["id", "id", "tab"] };
    const { body } = await post("update", { id, paths });
    expect(body).toMatchObject({ paths: { trailingSlash: "remove", queryParameters: ["id", "tab"] } });
    // What an update leaves out stays.
    expect((await post("update", { id, name: "Shop 2" })).body).toMatchObject({ paths: { trailingSlash: "remove" } });
    const sent = ["/a/", "/a", "/b/?tab=1&token=x&id=2", "/b?id=2&tab=1", "/"].map((path) => pageView({ path }));
    expect(await sendEvents(id, sent)).toMatchObject({ status: 200 });
    const pages = async () => {
      const query = { preset: "last_7d", parameters: ["top_pages"] };
      const answer = await send("POST", `/v1/query?website_id=${id}`, { apiKey: owner.apiKey, body: query });
      const { data } = (answer.body as { data: [{ data: { path: string; views: number }[] }] }).data[0];
      return data.map(({ path, views }) => `${path} ${views}`);
    };
    await expect.poll(pages).toEqual(["/a 2", "/b?id=2&tab=1 2", "/ 1"]);
    const filters = [{ field: "path", op: "eq", value: "/b?id=2&tab=1" }];
    const summary = await send("POST", `/v1/query?website_id=${id}`, {
      apiKey: owner.apiKey,
      body: { preset: "last_7d", parameters: ["summary_metrics"], filters },
    });
    expect(summary.body).toMatchObject({ data: [{ data: [{ pageviews: 2 }] }] });
  });

  test.each([
    ["paths.queryParameters[1]", { trailingSlash: "keep", queryParameters: ["id", "utm_source"] }],
    ["paths.queryParameters[0]", { trailingSlash: "keep", queryParameters: ["a b"] }],
    ["paths.trailingSlash", { queryParameters: ["id"] }],
    [
      "paths.queryParameters",
      { trailingSlash: "keep", queryParameters: Array.from({ length: 11 }, (_, index) => `p${index}`) },
    ],
    ["paths.trailingSlash", { trailingSlash: "drop" }],
  ])("a wrong %s is named", async (field, paths) => {
    const { id } = await create();
    const { status, body } = await post("update", { id, paths });
    expect(body).toMatchObject({ code: "VALIDATION_ERROR", details: [{ field }] });
    expect(status).toBe(400);
  });

  test("4.15 tags: an update replaces them, without spaces around them and each once", async () => {
    const { id } = await create();
    const { body } = await post("update", { id, tags: { names: [" Shops ", "Customer A", "shops"] } });
    expect(body).toMatchObject({ tags: { names: ["Shops", "Customer A"] } });
    // What an update leaves out stays.
    expect((await post("update", { id, name: "Shop 2" })).body).toMatchObject({
      tags: { names: ["Shops", "Customer A"] },
    });
    expect((await post("update", { id, tags: {} })).body).toMatchObject({ tags: { names: [] } });
  });

  test.each([
    ["tags.names[1]", ["a", " "]],
    ["tags.names[0]", ["a\u0000b"]],
    ["tags.names[0]", [""]],
    ["tags.names[0]", ["x".repeat(41)]],
    ["tags.names", Array.from({ length: 11 }, (_, index) => `t${index}`)],
  ])("a wrong %s is named", async (field, names) => {
    const { id } = await create();
    const { status, body } = await post("update", { id, tags: { names } });
    expect(body).toMatchObject({ code: "VALIDATION_ERROR", details: [{ field }] });
    expect(status).toBe(400);
  });

  test("a list without trackingStatus does not look for events", async () => {
    const { id } = await create();
    const found = async (request: object) => {
      const { websites } = (await post("list", request)).body as { websites: { id: string }[] };
      return websites.find((website) => website.id === id);
    };
    expect(await found({})).toMatchObject({ trackingStatus: "pending" });
    expect(await found({ withoutTrackingStatus: true })).toMatchObject({
      trackingStatus: "unknown",
      tags: { names: [] },
    });
  });

  test("trackingStatus: pending before the first event, inactive with old ones, active with one of the last 7 days", async () => {
    const { id } = await create();
    expect(await get(id)).toMatchObject({ trackingStatus: "pending" });
    expect(await sendEvents(id, [pageView({ timestamp: noonDaysAgo(9) })])).toMatchObject({ status: 200 });
    await expect.poll(async () => (await get(id))["trackingStatus"]).toBe("inactive");
    expect(await sendEvents(id, [pageView({ timestamp: noonDaysAgo(6) })])).toMatchObject({ status: 200 });
    await expect.poll(async () => (await get(id))["trackingStatus"]).toBe("active");
  });

  test("trackingStatus is unknown while QuestDB is unavailable, and the rest is answered", async () => {
    const server = await startOwnServer(handlers, { QUESTDB_PG: "postgres://admin:quest@127.0.0.1:1/qdb" });
    try {
      const { id } = await create();
      const { apiKey } = owner;
      const answer = await send("POST", "/websites/get", { body: { id }, apiKey, baseUrl: server.baseUrl });
      expect(answer).toMatchObject({ status: 200, body: { id, trackingStatus: "unknown" } });
    } finally {
      await server.close();
    }
  });
});

describe("4.15 update", () => {
  test("changes the sent fields, keeps the rest, sets updatedAt and answers the full object", async () => {
    const made = await create();
    const { body, status } = await post("update", { id: made.id, name: "New", timezone: "Asia/Kolkata" });
    expect(status).toBe(200);
    expect(body).toEqual({ ...made, name: "New", timezone: "Asia/Kolkata", updatedAt: instant });
    expect(Date.parse((body as ShownWebsite).updatedAt)).toBeGreaterThan(Date.parse(made.updatedAt));
    const closed = await post("update", { id: made.id, publicAccess: true, domain: "new.example" });
    expect(closed.body).toMatchObject({ name: "New", domain: "new.example", publicAccess: true });
    expect(await post("update", { id: made.id, publicAccess: false })).toMatchObject({ body: { publicAccess: false } });
  });

  test("goals replace those before, other updates keep them, and a wrong one is named", async () => {
    const made = await create();
    const goals = {
      goals: [
        { kind: "page", value: "/thanks*" },
        { kind: "event", value: "signup" },
        { kind: "event", value: "order", revenue: { property: "amount", currencyProperty: "currency" } },
        { kind: "event", value: "gift", revenue: { property: "price" } },
      ],
      funnel: [
        { kind: "page", value: "/" },
        { kind: "event", value: "signup" },
      ],
    };
    expect((await post("update", { id: made.id, goals })).body).toMatchObject({ goals });
    expect((await post("update", { id: made.id, name: "New" })).body).toMatchObject({ name: "New", goals });
    const [order, amount] = [{ kind: "event", value: "order" }, { property: "amount" }];
    for (const [field, wrong] of [
      ["goals.funnel", { funnel: [{ kind: "page", value: "/" }] }],
      ["goals.goals[0].value", { goals: [{ kind: "page", value: "thanks" }] }],
      ["goals.goals[0].value", { goals: [{ kind: "event", value: " " }] }],
      ["goals.goals[0].kind", { goals: [{ kind: "events", value: "a" }] }],
      ["goals.goals[0].revenue", { goals: [{ kind: "page", value: "/a", revenue: { property: "amount" } }] }],
      ["goals.goals[0].revenue.property", { goals: [{ kind: "event", value: "a", revenue: {} }] }],
      [
        "goals.goals[0].revenue.currencyProperty",
        { goals: [{ ...order, revenue: { ...amount, currencyProperty: "a\u0000" } }] },
      ],
      ["goals.funnel[0].revenue", { funnel: [{ ...order, revenue: amount }, order] }],
    ] as const)
      expect(await post("update", { id: made.id, goals: wrong })).toMatchObject({
        status: 400,
        body: { code: "VALIDATION_ERROR", details: [{ field }] },
      });
    expect(await get(made.id)).toMatchObject({ goals });
    expect((await post("update", { id: made.id, goals: {} })).body).toMatchObject({ goals: { goals: [], funnel: [] } });
  });

  test("an unknown time zone is refused with the nearest one, and nothing is changed", async () => {
    const made = await create();
    const { body, status } = await post("update", { id: made.id, name: "New", timezone: "Europe/Berln" });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      success: false,
      code: "VALIDATION_ERROR",
      error: expect.stringContaining('did you mean "Europe/Berlin"?'),
      details: [{ field: "timezone", suggestion: "Europe/Berlin" }],
    });
    expect(await get(made.id)).toEqual(made);
  });

  test("20 20 concurrent updates of different fields are all stored", async () => {
    const { id } = await create();
    const settings = { name: "New", domain: "new.example", timezone: "Asia/Tokyo", publicAccess: true };
    const retention = { rawEventsDays: 30, aggregatedDays: 365, performanceDays: 180, customEventsDays: 77 };
    const changes = [
      ...Object.entries(settings).map(([name, value]) => ({ path: "update", body: { id, [name]: value } })),
      ...Object.entries(retention).map(([name, value]) => ({
        path: "retention",
        body: { id, retention: { [name]: value } },
      })),
    ];
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const { path, body } = changes[index % changes.length] ?? { path: "", body: {} };
        return await post(path, body);
      }),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    const now = await get(id);
    // Of the periods one is longer than before, the others wait for a day.
    expect(now).toMatchObject({ ...settings, pendingRetention: { retention } });
    expect(now["retention"]).toMatchObject({ rawEventsDays: 90, performanceDays: 180 });
    const times = answers.map(({ body }) => (body as ShownWebsite).updatedAt);
    expect(now.updatedAt).toBe(times.sort().at(-1));
  });

  test("publicAccess makes the dashboard public and private again", async () => {
    const { id } = await create({ publicAccess: true });
    const body = { preset: "today", parameters: ["page_views"] };
    const status = async () => (await send("POST", `/v1/query?website_id=${id}`, { body })).status;
    expect(await status()).toBe(200);
    await post("update", { id, publicAccess: false });
    expect(await status()).toBe(401);
  });
});

describe("8 retention", () => {
  const periods = { rawEventsDays: 90, aggregatedDays: 730, performanceDays: 90, customEventsDays: 90 };

  test.each([90, 180, 365, 730, 3_650])("a longer period of %i days applies at once, the others stay", async (days) => {
    const { id } = await create();
    expect(await post("retention", { id, retention: { rawEventsDays: days } })).toMatchObject({
      status: 200,
      body: { retention: { ...periods, rawEventsDays: days }, pendingRetention: null },
    });
  });

  test.each([1, 30, 89])(
    "a shorter period of %i days is pending, and nothing changes until it applies",
    async (days) => {
      const { id } = await create();
      expect(await post("retention", { id, retention: { rawEventsDays: days } })).toMatchObject({
        status: 200,
        body: { retention: periods, pendingRetention: { retention: { ...periods, rawEventsDays: days } } },
      });
    },
  );

  test.each([
    ["retention.rawEventsDays", { rawEventsDays: 0 }],
    ["retention.aggregatedDays", { aggregatedDays: 3_651 }],
    ["retention.performanceDays", { performanceDays: 1.5 }],
  ])("%s out of bounds is refused: %j", async (field, retention) => {
    const { id } = await create();
    expect(await post("retention", { id, retention })).toMatchObject({
      status: 400,
      body: { code: "VALIDATION_ERROR", details: [{ field }] },
    });
  });
});

describe("5 access", () => {
  test("another organization gets NOT_FOUND, as for unknown websites", async () => {
    const { id } = await create();
    for (const [path, more] of [
      ["get", {}],
      ["update", { name: "Mine" }],
      ["delete", {}],
      ["restore", {}],
      ["retention", { retention: {} }],
      ["retention/cancel", {}],
      ["retention/runs", {}],
    ] as const) {
      const [theirs, nobodys] = await Promise.all(
        [id, randomUUID()].map((given) => post(path, { id: given, ...more }, other)),
      );
      expect(theirs).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
      expect({ ...(theirs?.body as object), requestId: "" }).toEqual({ ...(nobodys?.body as object), requestId: "" });
    }
    expect(JSON.stringify((await post("list", {}, other)).body)).not.toContain(id);
    expect(await get(id)).toMatchObject({ name: "Shop", deletedAt: null });
  });

  test("a key limited to websites reaches only these and can create none", async () => {
    const [mine, hidden] = [await create(), await create()];
    const apiKey = await createKey({ organizationId: owner.organizationId, websiteIds: [mine.id] });
    const limited = { apiKey };
    expect((await post("list", {}, limited)).body).toMatchObject({ websites: [{ id: mine.id }], total: 1 });
    expect(await post("get", { id: mine.id }, limited)).toMatchObject({ status: 200 });
    expect(await post("update", { id: mine.id, name: "New" }, limited)).toMatchObject({ status: 200 });
    for (const path of ["get", "update", "delete", "restore", "retention/cancel", "retention/runs"])
      expect(await post(path, { id: hidden.id }, limited)).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
    expect(await post("create", { name: "Shop", domain: "shop.example" }, limited)).toMatchObject({
      status: 403,
      body: { code: "ACCESS_DENIED" },
    });
  });

  test.each([
    ["create", "admin", { name: "Shop", domain: "shop.example" }],
    ["list", "read:data", {}],
    ["get", "read:data", { id: "x" }],
    ["update", "update", { id: "x", name: "Shop" }],
    ["delete", "delete", { id: "x" }],
    ["restore", "delete", { id: "x" }],
    ["retention", "update", { id: "x", retention: {} }],
    ["retention/cancel", "update", { id: "x" }],
    ["retention/runs", "read:data", { id: "x" }],
  ] as const)("%s needs %s", async (path, scope, body) => {
    const { organizationId } = await createWebsite();
    const without = ["read:data", "update", "delete", "admin"] as const;
    const [apiKey, having] = await Promise.all([
      createKey({ organizationId, scopes: without.filter((name) => name !== scope) }),
      createKey({ organizationId, scopes: [scope] }),
    ]);
    expect(await post(path, body, { apiKey })).toMatchObject({ status: 403, body: { code: "ACCESS_DENIED" } });
    expect([200, 404]).toContain((await post(path, body, { apiKey: having })).status);
    expect(await send("POST", `/websites/${path}`, { body })).toMatchObject({ status: 401 });
  });
});

test("4.15, 4.16: the same over gRPC", async () => {
  const websites = createClient(WebsiteService, createGrpcTransport({ baseUrl: inject("lookout").baseUrl }));
  const headers = { "x-api-key": owner.apiKey };
  const { website } = await websites.createWebsite({ name: "gRPC", domain: "grpc.example" }, { headers });
  const id = website?.id ?? "";
  const updated = await websites.updateWebsite({ id, publicAccess: true }, { headers });
  expect(updated.website).toMatchObject({ name: "gRPC", publicAccess: true, trackingStatus: "pending" });
  const wrong = await websites.updateWebsite({ id, timezone: "Berlin" }, { headers }).catch(ConnectError.from);
  expect(wrong).toMatchObject({ code: Code.InvalidArgument, message: expect.stringContaining("Europe/Berlin") });
  expect(await websites.deleteWebsite({ id }, { headers })).toMatchObject({ success: true });
  expect((await websites.getWebsite({ id }, { headers })).website?.deletedAt).toEqual(instant);
  const again = await websites.deleteWebsite({ id }, { headers }).catch(ConnectError.from);
  expect(again).toMatchObject({ code: Code.NotFound });
  expect((await websites.restoreWebsite({ id }, { headers })).website?.deletedAt).toBeUndefined();
  const kept = await websites.setRetention({ id, retention: { performanceDays: 7 } }, { headers });
  expect(kept.website?.pendingRetention?.retention).toMatchObject({ rawEventsDays: 90, performanceDays: 7 });
  const cancelled = await websites.cancelRetention({ id }, { headers });
  expect(cancelled.website?.pendingRetention).toBeUndefined();
  const { runs } = await websites.listRetentionRuns({ id }, { headers });
  expect(runs.flatMap(({ erased }) => Object.keys(erased))).toEqual([]);
  const { websites: listed } = await websites.listWebsites({}, { headers });
  expect(listed.map((each) => each.id)).toContain(id);
});
