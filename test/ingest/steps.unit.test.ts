import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import type { Website } from "../../src/access/websiteDirectory.ts";
import { FlatEventSchema } from "../../src/gen/lookout/v1/ingest_pb.ts";
import type { IngestEvent } from "../../src/ingest/event.ts";
import type { RequestFacts } from "../../src/ingest/facts/requestFacts.ts";
import { normaliseFlat } from "../../src/ingest/normalise.ts";
import { rowsOf } from "../../src/ingest/rows/eventRows.ts";
import { createIngestContext, takeEvent } from "../../src/ingest/steps.ts";
import { keyOf } from "../../src/store/write/eventKeys.ts";

const arrivedAtMs = 1_750_000_000_000;

const website: Website = {
  id: "site-1",
  clientId: "client-1",
  organizationId: "org-1",
  name: "Shop",
  domain: "www.Shop.example",
  timezone: "UTC",
  publicAccess: false,
  createdAtMs: 0,
  deletedAtMs: null,
  isLinkTarget: false,
  paths: { trailingSlash: "keep", queryParameters: [] },
  rulesText: "{}",
  privacy: { place: "city", ids: "sent", audienceOnly: false, smallestGroup: 10 },
};

function createContext(of: Website = website, facts: Partial<RequestFacts> = {}) {
  const agent = {
    browser: "Chrome",
    browserVersion: "126",
    os: "macOS",
    osVersion: "10.15",
    device: "desktop",
    isBot: false,
    isAutomated: false,
  };
  return createIngestContext(of, {
    ruleOfSenderIn: () => undefined,
    pageHost: () => undefined,
    clickVisitorKeyIn: () => undefined,
    dailyVisitorIdIn: () => undefined,
    endingIdIn: () => undefined,
    agent,
    location: { country: "DE", region: "Bavaria", city: "Munich" },
    isServer: false,
    keyProblem: undefined,
    ignored: undefined,
    arrivedAtMs,
    maxClockAheadMs: 3_600_000,
    maxEventAgeDays: 90,
    ...facts,
  });
}

function read(sent: MessageInitShape<typeof FlatEventSchema>): IngestEvent {
  return normaliseFlat(create(FlatEventSchema, sent));
}

function taken(sent: MessageInitShape<typeof FlatEventSchema>, context = createContext()): IngestEvent {
  const event = read(sent);
  expect(takeEvent(event, context)).toBeUndefined();
  return event;
}

const view = { name: "screen_view", path: "https://shop.example/cart?utm_source=x&id=7", anonymousId: "a" };

describe("part 6: what an event must have", () => {
  it.each([
    [{ path: "/" }, "name"],
    [{ name: "page_view" }, "path"],
    [{ type: "outgoing_link", eventId: "e" }, "href"],
  ])("%o lacks its %s", (sent, field) => {
    expect(takeEvent(read(sent), createContext())).toEqual({ reason: "invalid", field, message: "is required" });
  });

  it("refuses properties over 32 KiB and states their size", () => {
    const event = read({ name: "x", properties: { text: "ü".repeat(20_000) } });
    expect(takeEvent(event, createContext())).toEqual({
      reason: "properties_too_large",
      field: "properties",
      message: "must be at most 32768 bytes as JSON and has 40011",
    });
  });
});

describe("part 6, eventId: counted once in a batch", () => {
  it("takes the first event of an id and type", () => {
    const context = createContext();
    taken({ ...view, eventId: "e" }, context);
    taken({ type: "outgoing_link", eventId: "e", href: "https://x.example" }, context);
    taken({ ...view, eventId: "f" }, context);
    expect(takeEvent(read({ ...view, eventId: "e" }), context)).toMatchObject({ reason: "repeated" });
  });

  it("takes every event without an id", () => {
    const context = createContext();
    expect(taken(view, context).eventKey).not.toBe(taken(view, context).eventKey);
  });
});

describe("part 6, timestamp", () => {
  it.each([
    ["in the past", arrivedAtMs - 86_400_000, arrivedAtMs - 86_400_000],
    ["a little ahead", arrivedAtMs + 3_600_000, arrivedAtMs + 3_600_000],
    ["more than an hour ahead", arrivedAtMs + 3_600_001, arrivedAtMs],
    ["missing", undefined, arrivedAtMs],
  ])("%s", (_, timestamp, atMs) => {
    expect(taken({ ...view, timestamp }).atMs).toBe(atMs);
  });

  // 2025-06-15T15:06:40Z, so the oldest day is 2025-03-17.
  it.each([
    ["at the beginning of the oldest day that is kept (8)", Date.UTC(2025, 2, 17), undefined],
    [
      "before it",
      Date.UTC(2025, 2, 17) - 1,
      "must not be before 2025-03-17 (UTC), because events may be up to 90 days old",
    ],
  ])("%s", (_, timestamp, message) => {
    const drop = message === undefined ? undefined : { reason: "expired", field: "timestamp", message };
    expect(takeEvent(read({ ...view, timestamp }), createContext())).toEqual(drop);
  });

  it("is stored in microseconds", () => {
    const event = taken({ ...view, timestamp: arrivedAtMs + 0.7 });
    expect(rowsOf(event, "site-1")[0]?.tsUs).toBe(arrivedAtMs * 1_000);
  });
});

describe("part 6: page, campaign and source", () => {
  it("keeps the path and the campaign of the page's URL, not its query string", () => {
    expect(taken(view)).toMatchObject({ path: "/cart", utmSource: "x", utmMedium: undefined });
  });

  it("prefers the event's own campaign", () => {
    expect(taken({ ...view, utmSource: "own" }).utmSource).toBe("own");
  });

  it("counts a view without a referrer, or from the website itself, as direct", () => {
    expect(taken(view).referrerSource).toBe("");
    expect(taken({ ...view, referrer: "https://shop.example/before" }).referrerSource).toBe("");
    expect(taken({ ...view, referrer: "https://www.google.com/?q=1" })).toMatchObject({
      referrer: "https://www.google.com/",
      referrerSource: "google.com",
    });
  });

  it("cuts a page's URL at 2,048 characters after removing its query string", () => {
    const path = `/${"p".repeat(3_000)}?utm_source=late`;
    expect(taken({ ...view, path })).toMatchObject({ path: `/${"p".repeat(2_047)}`, utmSource: "late" });
  });
});

describe("part 6, anonymousId and sessionId: visitor and session", () => {
  it("gives the same ids the same keys on the same website only", () => {
    const one = taken({ ...view, sessionId: "s" });
    const two = taken({ ...view, sessionId: "s" });
    const elsewhere = taken({ ...view, sessionId: "s" }, createContext({ ...website, id: "site-2" }));
    expect([two.visitorKey, two.sessionKey]).toEqual([one.visitorKey, one.sessionKey]);
    expect(elsewhere.visitorKey).not.toBe(one.visitorKey);
    expect(elsewhere.sessionKey).not.toBe(one.sessionKey);
  });

  it("keeps its hash over releases, since it is compared with stored rows", () => {
    expect(keyOf("site-1", "a")).toBe(759_144_212_438_050);
  });

  it("falls back from the session to the visitor and from the visitor to the session", () => {
    expect(taken(view)).toMatchObject({ visitorKey: keyOf("site-1", "a"), sessionKey: keyOf("site-1", "a") });
    const bySession = taken({ ...view, anonymousId: undefined, sessionId: "s" });
    expect(bySession).toMatchObject({ visitorKey: keyOf("site-1", "s"), sessionKey: keyOf("site-1", "s") });
  });

  it("counts a view without ids as a new visitor, and other events without ids as no visitor's", () => {
    const alone = taken({ ...view, anonymousId: undefined });
    expect(alone.visitorKey).toBe(alone.eventKey);
    expect(alone.sessionKey).toBe(alone.eventKey);
    expect(taken({ name: "paid" })).toMatchObject({ visitorKey: undefined, sessionKey: undefined });
  });
});

describe("part 2: what is stored", () => {
  it("stores a row for the event and one for each performance figure", () => {
    const rows = rowsOf(taken({ ...view, loadTime: 800, domReadyTime: 500, ttfb: 90 }), "site-1");
    expect(rows.map(({ table }) => table)).toEqual([
      "events",
      "performance_metrics",
      "performance_metrics",
      "performance_metrics",
    ]);
    expect(rows.slice(1).map(({ values }) => values)).toMatchObject([
      { metric_type: "load_time", value: 800, path: "/cart" },
      { metric_type: "dom_ready_time", value: 500, path: "/cart" },
      { metric_type: "TTFB", value: 90, path: "/cart" },
    ]);
  });

  it("stores browser, system and device of the request", () => {
    expect(taken(view)).toMatchObject({
      browser: "Chrome",
      browserVersion: "126",
      os: "macOS",
      osVersion: "10.15",
      device: "desktop",
    });
  });
});

describe("part 2: group of the referrer, country, region and city", () => {
  it.each([
    [{}, "direct"],
    [{ path: "/", referrer: "https://www.google.com/" }, "search"],
    [{ path: "/?gclid=x", referrer: "https://www.google.com/" }, "paid"],
    [{ path: "/", utmMedium: "email" }, "email"],
    [{ path: "/", referrer: "direct" }, "direct"],
    [{ path: "/", referrer: "https://shop.example/before" }, undefined],
    [{ path: "/", referrer: "/before" }, undefined],
  ])("%o", (sent, referrerGroup) => {
    expect(taken({ name: "page_view", path: "/", ...sent })).toMatchObject({ referrerGroup });
  });

  it("is empty for events that are not arrivals", () => {
    expect(taken({ name: "paid", utmMedium: "email" }).referrerGroup).toBeUndefined();
  });

  it("stores group, country, region and city", () => {
    expect(rowsOf(taken(view), "site-1")[0]?.values).toMatchObject({
      referrer_group: "social",
      country: "DE",
      region: "Bavaria",
      city: "Munich",
    });
  });
});

describe("part 1: dropped events", () => {
  const spam = { ...view, eventId: "e", referrer: "https://www.semalt.com/crawler?u=x" };

  it("drops a spammer's view, but not a server's", () => {
    expect(takeEvent(read(spam), createContext())).toMatchObject({ reason: "referrer_spam", field: "referrer" });
    expect(takeEvent(read(spam), createContext(website, { isServer: true }))).toBeUndefined();
  });

  it("accepts the valid event after a spammer's with the same id", () => {
    const context = createContext();
    expect(takeEvent(read(spam), context)).toMatchObject({ reason: "referrer_spam" });
    taken({ ...view, eventId: "e" }, context);
  });

  it("drops an event for the request's facts only if the event is valid", () => {
    const ignored = { reason: "bot", field: "", message: "comes from a bot" } as const;
    const context = createContext(website, { ignored });
    expect(takeEvent(read(view), context)).toEqual(ignored);
    expect(takeEvent(read({ path: "/" }), context)).toMatchObject({ reason: "invalid" });
  });
});

describe("6: what a server states takes the place of the request's facts", () => {
  const iphone =
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1";
  const stated = { ...view, ip: "81.2.69.142", userAgent: iphone, referrer: "https://semalt.com/" };

  it("for the agent, the place and the hash that clicks on short links have", () => {
    const hashed: unknown[] = [];
    const context = createContext(
      { ...website, isLinkTarget: true },
      {
        isServer: true,
        clickVisitorKeyIn: (...visitor) => hashed.push(visitor),
      },
    );
    expect(taken({ ...stated, referrer: "" }, context)).toMatchObject({
      country: "GB",
      browser: "Safari",
      device: "mobile",
    });
    expect(hashed).toMatchObject([["site-1", { address: "81.2.69.142", userAgent: iphone }]]);
  });

  it("for bots and spammers, which the server only forwards", () => {
    const context = createContext(website, { isServer: true });
    expect(takeEvent(read({ ...stated, userAgent: "Googlebot/2.1" }), context)).toMatchObject({ reason: "bot" });
    expect(takeEvent(read(stated), context)).toMatchObject({ reason: "referrer_spam" });
    expect(takeEvent(read({ ...stated, ip: "", userAgent: "" }), context)).toBeUndefined();
  });

  it("not without a key", () => {
    const event = taken({ ...stated, referrer: "", ip: "no address" });
    expect(event).toMatchObject({ country: "DE", browser: "Chrome", visitor: undefined });
  });
});
