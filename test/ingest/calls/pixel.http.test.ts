import { randomUUID } from "node:crypto";
import { expect, inject, test } from "vitest";
import { createWebsite } from "../../kit/calls/website.ts";
import { noonDaysAgo } from "../../kit/stores/noonDaysAgo.ts";
import { storedRows } from "../../kit/stores/storedRows.ts";

const { baseUrl } = inject("lookout");
const timestamp = noonDaysAgo(3);

/** Requests the image as a page does. */
async function load(parameters: Record<string, string>, options: { method?: string; referer?: string } = {}) {
  const answer = await fetch(`${baseUrl}/px.jpg?${new URLSearchParams(parameters)}`, {
    method: options.method ?? "GET",
    headers: options.referer === undefined ? {} : { referer: options.referer },
  });
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
}

/** Width and height of a GIF (GIF89a, section 18). */
function sizeOf(picture: Buffer): [width: number, height: number] {
  expect(picture.subarray(0, 6).toString()).toBe("GIF89a");
  expect(picture.at(-1)).toBe(0x3b);
  return [picture.readUInt16LE(6), picture.readUInt16LE(8)];
}

test("B3 pixel mode: a page view in the query string is stored, and the answer is an image that is not cached", async () => {
  const { websiteId, clientId } = await createWebsite();
  const { status, headers, bytes } = await load({
    client_id: clientId,
    type: "track",
    eventId: "p1",
    name: "screen_view",
    anonymousId: "anon-1",
    sessionId: "session-1",
    timestamp: String(timestamp),
    path: "https://example.com/a?utm_source=mail&email=a@example.com",
    title: "A & B",
    referrer: "https://www.google.com/",
    viewport_size: "1280x720",
    time_on_page: "no number",
    page_count: "2",
    sdk_name: "web",
    sdk_version: "2.0.0",
  });
  expect(status).toBe(200);
  expect(sizeOf(bytes)).toEqual([1, 1]);
  expect(headers.get("content-type")).toBe("image/gif");
  expect(headers.get("cache-control")).toBe("no-store, no-cache, must-revalidate, max-age=0");
  expect(headers.get("content-disposition")).toBe("inline");
  expect(headers.get("cross-origin-resource-policy")).toBe("cross-origin");
  expect(await storedRows("events", websiteId, 1)).toMatchObject([
    {
      ts: timestamp,
      event_type: "page_view",
      event_id: "p1",
      anonymous_id: "anon-1",
      session_id: "session-1",
      path: "/a",
      title: "A & B",
      utm_source: "mail",
      viewport: "1280x720",
      referrer_source: "google.com",
      page_count: 2,
      time_on_page_ms: null,
    },
  ]);
});

test("B3 pixel mode: custom events, outgoing links, measurements and errors are stored", async () => {
  const { websiteId } = await createWebsite();
  const shared = { website_id: websiteId, timestamp: String(timestamp), path: "/a" };
  await load({ ...shared, name: "purchase", properties: '{"total":12.5}' });
  await load({ ...shared, name: "unreadable", timestamp: String(timestamp + 1), properties: "{" });
  await load({ ...shared, type: "outgoing_link", eventId: "o1", href: "https://other.example/", text: "Other" });
  await load({ ...shared, type: "web_vitals", metricName: "CLS", metricValue: "0.1" });
  await load({ ...shared, type: "error", message: "no", lineno: "7", errorType: "TypeError" });
  expect(await storedRows("events", websiteId, 2)).toMatchObject([
    { event_type: "custom", name: "purchase", properties: '{"total":12.5}' },
    { event_type: "custom", name: "unreadable", properties: null },
  ]);
  expect(await storedRows("outgoing_links", websiteId, 1)).toMatchObject([{ href: "https://other.example/" }]);
  expect(await storedRows("performance_metrics", websiteId, 1)).toMatchObject([{ metric_type: "CLS", value: 0.1 }]);
  expect(await storedRows("script_errors", websiteId, 1)).toMatchObject([{ message: "no", line_number: 7 }]);
});

test("B3 pixel mode: an image without a script counts a view of the requesting page; HEAD counts nothing", async () => {
  const { websiteId } = await createWebsite();
  const page = { referer: "https://example.com/no-script?x=1" };
  const head = await load({ website_id: websiteId }, { ...page, method: "HEAD" });
  expect(head).toMatchObject({ status: 200, bytes: Buffer.alloc(0) });
  await load({ website_id: websiteId }, page);
  expect(await storedRows("events", websiteId, 1)).toMatchObject([{ event_type: "page_view", path: "/no-script" }]);
});

test.each([
  ["no website", {}],
  ["an unknown website", { website_id: randomUUID(), name: "screen_view", path: "/" }],
  ["an unknown type", { type: "nonsense", website_id: randomUUID() }],
  ["a field too long", { name: "n".repeat(5_000), anonymousId: "a".repeat(5_000) }],
  ["a bad measurement", { type: "web_vitals", metricName: "XYZ", website_id: randomUUID() }],
  ["no text", { name: "\u0000\ufffd%", type: "\u0000", website_id: "\u0000" }],
])("B3 pixel mode: %s is answered with the image as well", async (_, parameters) => {
  const { status, headers, bytes } = await load(parameters);
  expect(status).toBe(200);
  expect(headers.get("content-type")).toBe("image/gif");
  expect(sizeOf(bytes)).toEqual([1, 1]);
});

test("B3 pixel mode: an undecodable URL is answered with the image as well", async () => {
  const answer = await fetch(`${baseUrl}/px.jpg?name=%E0%A4%A&%ff=%&&=&type[]=x#`);
  expect(answer.status).toBe(200);
  expect(sizeOf(Buffer.from(await answer.arrayBuffer()))).toEqual([1, 1]);
});
