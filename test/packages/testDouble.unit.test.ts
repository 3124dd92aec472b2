import { deepEqual } from "node:assert/strict";
import { describe, expect, expectTypeOf, test } from "vitest";
import { each, eachRow, LookoutError } from "../../packages/client-js/src/node.ts";
import { createTestLookout, type TestAnswers } from "../../packages/client-js/src/testing/createTestLookout.ts";

const topPage = { path: "/", name: "/", views: 3, pageviews: 3, visitors: 2, percentage: 100 };

describe("a client without a service", () => {
  test("answers with values and with what functions make of requests, and knows its calls", async () => {
    const lookout = createTestLookout({
      uptime: { getStatus: { status: "up" } },
      links: { createLink: async ({ targetUrl }) => ({ link: { id: "l1", targetUrl } }) },
    });
    expect((await lookout.uptime.getStatus({ monitorId: "m" })).status).toBe("up");
    const { link } = await lookout.links.createLink({ targetUrl: "https://x.example", expiresAt: new Date(0) });
    expect(link).toMatchObject({ id: "l1", targetUrl: "https://x.example" });
    expect(lookout.calls).toMatchObject([
      { call: "uptime.getStatus", request: { monitorId: "m" } },
      { call: "links.createLink", request: { targetUrl: "https://x.example", expiresAt: "1970-01-01T00:00:00.000Z" } },
    ]);
    await lookout.close();
  });

  test("has calls that equal what was written, with their headers", async () => {
    const lookout = createTestLookout(
      { links: { createLink: { link: { id: "l1", slug: undefined } } }, uptime: { createMonitor: { monitor: {} } } },
      { apiKey: "lk_test" },
    );
    const link = { targetUrl: "https://x.example", clickLimit: 0, name: undefined, expiresAt: new Date(0) };
    await lookout.links.createLink(link, { headers: { "idempotency-key": "order-1" } });
    await lookout.uptime.createMonitor({
      websiteId: "w",
      url: "https://x.example",
      interval: "5m",
      jsonParsingConfig: { path: ["a"] },
    });
    const [created, monitor] = lookout.calls;
    deepEqual(created?.request, {
      targetUrl: "https://x.example",
      clickLimit: 0,
      expiresAt: "1970-01-01T00:00:00.000Z",
    });
    expect(created?.headers.get("idempotency-key")).toBe("order-1");
    expect(created?.headers.get("authorization")).toBe("Bearer lk_test");
    deepEqual(monitor?.request, {
      websiteId: "w",
      url: "https://x.example",
      interval: "5m",
      jsonParsingConfig: { path: ["a"] },
    });
    // The name of a call says what its request is.
    if (created?.call === "links.createLink") expectTypeOf(created.request.targetUrl).toBeString();
  });

  test("has queries as they were sent, with plain filters, and functions get requests without names of protobuf", async () => {
    const seen: unknown[] = [];
    const lookout = createTestLookout({
      rows: { top_pages: [topPage] },
      links: {
        listLinks: (request) => {
          seen.push(JSON.parse(JSON.stringify(request)));
          return {};
        },
      },
    });
    const filters = [{ field: "country", op: "in", value: ["AT", "DE"] }] as const;
    await lookout.query({ preset: "today", parameters: ["top_pages"], filters });
    for await (const _ of lookout.watch({ preset: "today", parameters: ["top_pages"] })) break;
    await lookout.links.listLinks({ websiteId: "w" });
    const query = { preset: "today", parameters: [{ name: "top_pages" }] };
    deepEqual(
      lookout.calls.map(({ call, request }) => [call, request]),
      [
        ["queries.query", { websiteId: "test-website", query: { ...query, filters } }],
        ["queries.watch", { websiteId: "test-website", query, keepAliveSeconds: 30 }],
        ["links.listLinks", { websiteId: "w" }],
      ],
    );
    expect(JSON.stringify(seen)).not.toContain("$typeName");
  });

  test("answers queries and streams with rows, by pages", async () => {
    const rows = ["a", "b", "c"].map((path) => ({ ...topPage, path }));
    const lookout = createTestLookout({ rows: { top_pages: rows } });
    const paths: string[] = [];
    for await (const { path } of eachRow(lookout, { preset: "today", parameters: ["top_pages"], limit: 2 }))
      paths.push(path);
    expect(paths).toEqual(["a", "b", "c"]);
    expect(lookout.calls).toHaveLength(2);
    const { data } = await lookout.query({ preset: "today", parameters: [{ name: "top_pages", id: "pages" }] });
    expect(data[0]).toMatchObject({
      parameter: "pages",
      success: true,
      data: [{ path: "a" }, { path: "b" }, { path: "c" }],
    });
    for await (const { data } of lookout.watch({ preset: "today", parameters: ["top_pages"] }))
      expect(data[0].data).toHaveLength(3);
  });

  test("lists page after page", async () => {
    const lookout = createTestLookout({
      links: {
        listLinks: ({ cursor }) =>
          cursor === "2" ? { links: [{ id: "b" }] } : { links: [{ id: "a" }], nextCursor: "2" },
      },
    });
    const ids: string[] = [];
    for await (const { id } of each(lookout.links.listLinks, {})) ids.push(id);
    expect(ids).toEqual(["a", "b"]);
  });

  test("takes events", async () => {
    const lookout = createTestLookout();
    lookout.events.track({ name: "signup", properties: { plan: "pro" } });
    await lookout.events.flush();
    expect(lookout.events.size).toBe(0);
    expect(lookout.calls).toEqual([]);
    const [event] = lookout.sentEvents;
    deepEqual(event, {
      name: "signup",
      properties: { plan: "pro" },
      eventId: event?.eventId,
      timestamp: event?.timestamp,
    });
    expect(event?.eventId).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("knows calls of the program for events, but not those of the queue", async () => {
    const lookout = createTestLookout();
    lookout.events.track({ name: "signup" });
    await lookout.events.flush();
    await lookout.ingest.batch({ events: [{ payload: { case: "flat", value: { name: "order" } } }] });
    expect(lookout.calls.map(({ call }) => call)).toEqual(["ingest.batch"]);
    expect(lookout.sentEvents.map(({ name }) => name)).toEqual(["signup", "order"]);
  });

  test("passes on errors with all that they say", async () => {
    const details = [{ field: "slug", message: "is taken", suggestion: "summer-2" }];
    const lookout = createTestLookout({
      links: {
        createLink: () => {
          throw new LookoutError("CONFLICT", "The slug is taken", { details, retryAfterMs: 2_000 });
        },
      },
    });
    const error = await lookout.links.createLink({ targetUrl: "https://x.example" }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(LookoutError);
    expect(error).toMatchObject({
      code: "CONFLICT",
      message: "The slug is taken",
      details,
      retryAfterMs: 2_000,
      requestId: "req_test",
    });
  });

  test("says what a call without an answer needs", async () => {
    const lookout = createTestLookout();
    await expect(lookout.links.listLinks({})).rejects.toMatchObject({
      code: "NOT_IMPLEMENTED",
      message: "The test has no answer for links.listLinks: pass { links: { listLinks: … } } to createTestLookout",
    });
    await expect(lookout.query({ preset: "today", parameters: ["top_pages"] })).rejects.toMatchObject({
      code: "NOT_IMPLEMENTED",
      message: expect.stringContaining("pass { rows: { top_pages: [ … ] } }"),
    });
  });
});

describe("answers and requests are checked against the contract", () => {
  test.each<[string, object, RegExp]>([
    [
      "a misspelt member",
      { links: { createLink: { link: { slugg: "x" } } } },
      /link\.slugg is no member of Link; did you mean slug\?/,
    ],
    ["another kind of value", { links: { createLink: { link: { slug: 7 } } } }, /link\.slug must be a string, not 7/],
    [
      "a value that is not in its list",
      { uptime: { getStatus: { status: "upp" } } },
      /status must be one of up, down, degraded, unknown, not "upp"/,
    ],
    ["one object for a list", { links: { listLinks: { links: {} } } }, /links must be a list/],
    ["no object", { links: { listLinks: 7 } }, /it must be an object, not 7/],
  ])("%s throws when the client is made", (_, answers, message) => {
    expect(() => createTestLookout(answers as TestAnswers)).toThrow(message);
  });

  test("of a function, the call rejects", async () => {
    const lookout = createTestLookout({ links: { createLink: () => ({ link: { slug: 7 as never } }) } });
    await expect(lookout.links.createLink({ targetUrl: "https://x.example" })).rejects.toMatchObject({
      code: "BAD_ANSWER",
      message: expect.stringMatching(/links\.createLink is not one of Lookout: link\.slug must be a string/),
    });
  });

  test.each<[string, object, RegExp]>([
    ["a misspelt column", { ...topPage, veiws: 1 }, /no column veiws; did you mean views\?/],
    ["a column of another kind", { ...topPage, views: "3" }, /views must be of type integer, not "3"/],
    ["a column that is missing", { path: "/" }, /is missing, and never null/],
  ])("%s of a row throws when the client is made", (_, row, message) => {
    expect(() => createTestLookout({ rows: { top_pages: [row as never] } })).toThrow(message);
  });

  test("a value of a request that is not in its list", async () => {
    const lookout = createTestLookout({ uptime: { createMonitor: {} } });
    const monitor = { websiteId: "w", url: "https://x.example", interval: "55m" as "5m" };
    const error = await lookout.uptime.createMonitor(monitor).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: "VALIDATION_ERROR",
      message: expect.stringMatching(/^interval must be one of 1m, .*, not "55m"; did you mean 5m\?$/),
      details: [{ field: "interval", suggestion: "5m" }],
    });
  });

  test("a member of a request that does not exist, and one of another kind", async () => {
    const lookout = createTestLookout({ links: { createLink: {} } });
    const link = { targetUrl: "https://x.example", nmae: "x", clickLimit: "3" };
    const error = await lookout.links.createLink(link as never).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: "VALIDATION_ERROR",
      message: 'nmae is no member of CreateLinkRequest; did you mean name?; clickLimit must be a number, not "3"',
      details: [{ field: "nmae", suggestion: "name" }, { field: "clickLimit" }],
    });
  });

  test.each<[string, object, string]>([
    ["a service", { lins: {} }, "There is no service lins; did you mean links?"],
    ["a call", { links: { craeteLink: {} } }, "There is no call links.craeteLink; did you mean createLink?"],
    ["a query type", { rows: { top_pagse: [] } }, "There is no query type top_pagse; did you mean top_pages?"],
  ])("%s that does not exist throws when the client is made", (_, answers, message) => {
    expect(() => createTestLookout(answers as TestAnswers)).toThrow(message);
  });

  test("a query type that does not exist", async () => {
    const lookout = createTestLookout();
    const error = await lookout
      .query({ preset: "today", parameters: ["top_pagse" as "top_pages"] })
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "VALIDATION_ERROR", details: [{ suggestion: "top_pages" }] });
  });
});
