import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { send } from "../../kit/calls/request.ts";
import { createWebsite } from "../../kit/calls/website.ts";
import { noonDaysAgo } from "../../kit/stores/noonDaysAgo.ts";
import { storedRows } from "../../kit/stores/storedRows.ts";

const timestamp = noonDaysAgo(3);

const chrome =
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36";

function trackPayload(more: Record<string, unknown> = {}) {
  return {
    eventId: randomUUID(),
    name: "page_view",
    anonymousId: "anon-1",
    sessionId: "sess-1",
    sessionStartTime: timestamp - 1_000,
    timestamp,
    path: "https://example.com/cart?utm_source=newsletter&email=a@b.example#top",
    title: "Cart",
    referrer: "https://www.google.com/search?q=secret",
    screen_resolution: "1920x1080",
    viewport_size: "1420x880",
    timezone: "Europe/Berlin",
    language: "de-DE",
    ...more,
  };
}

test("4.20: both payload types are stored and each event has its result in order", async () => {
  const { websiteId } = await createWebsite();
  const answer = await send("POST", `/batch?website_id=${websiteId}`, {
    headers: { "user-agent": chrome },
    body: [
      { type: "track", payload: trackPayload({ eventId: "e1", ttfb: 90, time_on_page: 1_500, properties: { a: 1 } }) },
      {
        type: "outgoing_link",
        payload: {
          eventId: "e2",
          anonymousId: "anon-1",
          timestamp,
          href: "https://other.example/a?b=1",
          text: "Other",
        },
      },
    ],
  });
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    status: "success",
    batch: true,
    processed: 2,
    batched: { track: 1, outgoing_link: 1 },
    results: [
      { status: "success", type: "track", eventId: "e1" },
      { status: "success", type: "outgoing_link", eventId: "e2" },
    ],
  });
  expect(await storedRows("events", websiteId, 1)).toEqual([
    {
      ts: timestamp,
      website_id: websiteId,
      event_key: expect.any(Number),
      event_type: "page_view",
      name: "page_view",
      visitor_key: expect.any(Number),
      click_visitor_key: null,
      session_key: expect.any(Number),
      event_id: "e1",
      anonymous_id: "anon-1",
      session_id: "sess-1",
      path: "/cart",
      title: "Cart",
      referrer: "https://www.google.com/search",
      referrer_source: "google.com",
      referrer_group: "email",
      screen: "1920x1080",
      viewport: "1420x880",
      language: "de-DE",
      timezone: "Europe/Berlin",
      country: null,
      region: null,
      city: null,
      browser: "Chrome",
      browser_version: "126",
      os: "macOS",
      os_version: "10.15",
      device: "desktop",
      connection: null,
      rtt_ms: null,
      downlink_mbps: null,
      utm_source: "newsletter",
      utm_medium: null,
      utm_campaign: null,
      utm_term: null,
      utm_content: null,
      time_on_page_ms: 1_500,
      scroll_depth_percent: null,
      interaction_count: null,
      page_count: null,
      properties: '{"a":1}',
    },
  ]);
  expect(await storedRows("outgoing_links", websiteId, 1)).toMatchObject([
    { ts: timestamp, event_id: "e2", href: "https://other.example/a?b=1", text: "Other" },
  ]);
  expect(await storedRows("performance_metrics", websiteId, 1)).toMatchObject([
    { ts: timestamp, metric_type: "TTFB", value: 90, session_id: "sess-1", path: "/cart" },
  ]);
});

test("4.20: events that fail are errors in results, the valid ones are stored", async () => {
  const { websiteId } = await createWebsite();
  const answer = await send("POST", `/batch?website_id=${websiteId}`, {
    body: [
      { type: "track", payload: trackPayload({ eventId: "e1", name: "" }) },
      { type: "track", payload: trackPayload({ eventId: "e2" }) },
      { type: "trak", payload: { eventId: "e3" } },
      { type: "outgoing_link", payload: { eventId: "e4" } },
      { eventId: "e5", path: "/a" },
      "hello",
      { type: "track", payload: trackPayload({ eventId: "e6", properties: { text: "x".repeat(40_000) } }) },
    ],
  });
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    status: "success",
    batch: true,
    processed: 7,
    batched: { track: 1, outgoing_link: 0 },
    results: [
      { status: "error", type: "track", eventId: "e1", message: expect.stringContaining("name"), eventType: "track" },
      { status: "success", type: "track", eventId: "e2" },
      { status: "error", message: expect.stringContaining("track"), eventType: "trak", eventId: "e3" },
      {
        status: "error",
        type: "outgoing_link",
        eventId: "e4",
        message: expect.stringContaining("href"),
        eventType: "outgoing_link",
      },
      { status: "error", type: "track", eventId: "e5", message: "name is required", eventType: "track" },
      { status: "error", message: "The event must be an object", eventType: "unknown" },
      {
        status: "error",
        type: "track",
        eventId: "e6",
        message: "properties must be at most 32768 bytes as JSON and has 40011",
        eventType: "track",
      },
    ],
  });
  await storedRows("events", websiteId, 1);
});

test("4.20: a batch of invalid events only is answered with results", async () => {
  const { websiteId } = await createWebsite();
  const answer = await send("POST", `/batch?website_id=${websiteId}`, { body: [{ eventId: "e1" }] });
  expect(answer).toMatchObject({
    status: 200,
    body: {
      status: "success",
      batch: true,
      processed: 1,
      batched: { track: 0, outgoing_link: 0 },
      results: [{ status: "error", type: "track", eventId: "e1", message: "name is required", eventType: "track" }],
    },
  });
});

test("4.20: an empty batch is a success", async () => {
  const { websiteId } = await createWebsite();
  const answer = await send("POST", `/batch?website_id=${websiteId}`, { body: [] });
  expect(answer).toMatchObject({ status: 200 });
  expect(answer.body).toEqual({
    status: "success",
    batch: true,
    processed: 0,
    batched: { track: 0, outgoing_link: 0 },
    results: [],
  });
});

test("6: an eventId that occurs twice in a batch is counted once", async () => {
  const { websiteId } = await createWebsite();
  const event = { type: "track", payload: trackPayload({ eventId: "e1" }) };
  const answer = await send("POST", `/batch?website_id=${websiteId}`, { body: [event, event] });
  expect(answer.body).toEqual({
    status: "success",
    batch: true,
    processed: 2,
    batched: { track: 1, outgoing_link: 0 },
    results: [
      { status: "success", type: "track", eventId: "e1" },
      { status: "success", type: "track", eventId: "e1" },
    ],
  });
  await send("POST", `/batch?website_id=${websiteId}`, { body: [event] });
  await send("POST", `/batch?website_id=${websiteId}`, {
    body: [{ type: "track", payload: trackPayload({ eventId: "e2" }) }],
  });
  expect((await storedRows("events", websiteId, 2)).map((row) => row["event_id"]).sort()).toEqual(["e1", "e2"]);
});

test("6: the flat form of published trackers, addressed by client_id, as text/plain", async () => {
  const { websiteId, clientId } = await createWebsite();
  const flat = { anonymousId: "anon-1", sessionId: "sess-1", timestamp, path: "https://example.com/a?b#c", gclid: "x" };
  const answer = await send("POST", `/batch?client_id=${clientId}`, {
    headers: { "content-type": "text/plain;charset=UTF-8" },
    body: [
      { ...flat, eventId: "e1", name: "screen_view", referrer: "direct", utm_source: "x" },
      { ...flat, eventId: "e2", name: "page_exit", timestamp: timestamp + 1, time_on_page: 12.5, scroll_depth: 80 },
      { ...flat, type: "outgoing_link", eventId: "e3", href: "https://other.example/" },
    ],
  });
  expect(answer.body).toMatchObject({ status: "success", processed: 3, batched: { track: 2, outgoing_link: 1 } });
  expect(await storedRows("events", websiteId, 2)).toMatchObject([
    { event_type: "page_view", path: "/a", referrer: null, referrer_source: null, utm_source: "x" },
    { event_type: "page_exit", path: "/a", time_on_page_ms: 12_500, scroll_depth_percent: 80 },
  ]);
  await storedRows("outgoing_links", websiteId, 1);
});

test("7: a batch without a website is answered MISSING_WEBSITE_ID", async () => {
  const answer = await send("POST", "/batch", { body: [] });
  const message = "Say which website the events belong to: add ?website_id=<id> to the address";
  expect(answer.status).toBe(400);
  expect(answer.body).toEqual({
    status: "error",
    message,
    success: false,
    error: message,
    code: "MISSING_WEBSITE_ID",
    requestId: answer.headers.get("x-request-id"),
    details: [{ field: "website_id", message: "is required" }],
  });
});

test("3, 7: a website that does not exist or is deleted takes no events", async () => {
  const { websiteId } = await createWebsite({ deleted: true });
  for (const id of [websiteId, randomUUID(), "no such website"]) {
    const answer = await send("POST", `/batch?website_id=${encodeURIComponent(id)}`, { body: [] });
    const message = "This website does not exist or was deleted; check its website_id";
    expect(answer.status).toBe(404);
    expect(answer.body).toEqual({
      status: "error",
      message,
      success: false,
      error: message,
      code: "NOT_FOUND",
      requestId: answer.headers.get("x-request-id"),
    });
  }
});

test("7.5: more than 100 events, and a body that is not an array, are refused", async () => {
  const { websiteId } = await createWebsite();
  const tooMany = await send("POST", `/batch?website_id=${websiteId}`, {
    body: Array.from({ length: 101 }, () => ({ name: "signup" })),
  });
  expect(tooMany).toMatchObject({ status: 400, body: { status: "error", code: "VALIDATION_ERROR" } });
  expect(tooMany.body).toMatchObject({ message: expect.stringMatching(/batch too large/i) });
  const noArray = await send("POST", `/batch?website_id=${websiteId}`, { body: { name: "signup" } });
  expect(noArray).toMatchObject({ status: 400, body: { status: "error", code: "VALIDATION_ERROR" } });
  expect(noArray.body).toMatchObject({ message: expect.stringMatching(/expects an array of events/) });
});

test("4.20: 100 events from each of many clients at once are all stored", async () => {
  const { websiteId } = await createWebsite();
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, client) =>
      send("POST", `/batch?website_id=${websiteId}`, {
        body: Array.from({ length: 100 }, (_, index) => ({ name: "signup", eventId: `${client}-${index}`, timestamp })),
      }),
    ),
  );
  for (const { body } of answers) expect(body).toMatchObject({ processed: 100, batched: { track: 100 } });
  await storedRows("events", websiteId, 2_000);
});
