import { Databuddy } from "@databuddy/sdk/node";
import { expect, inject, test } from "vitest";
import { send } from "../../kit/calls/request.ts";
import { createWebsite, type TestWebsite } from "../../kit/calls/website.ts";

const { baseUrl } = inject("lookout");

/** Rows of one query type over today and yesterday, so that a test at midnight still sees its events. */
async function rows(website: TestWebsite, type: string): Promise<Record<string, unknown>[]> {
  const answer = await send("POST", `/v1/query?website_id=${website.websiteId}`, {
    apiKey: website.apiKey,
    body: { preset: "last_7d", limit: 1000, parameters: [type] },
  });
  expect(answer.status).toBe(200);
  const { data } = answer.body as { data: { success: boolean; data: Record<string, unknown>[] }[] };
  expect(data[0]?.success).toBe(true);
  return data[0]?.data ?? [];
}

async function countsByName(website: TestWebsite): Promise<Record<string, unknown>> {
  return Object.fromEntries(
    (await rows(website, "custom_events")).map((row) => [String(row["name"]), row["total_events"]]),
  );
}

test.each(["", "/"])(
  "B2: @databuddy/sdk with apiUrl ending in '%s': queued, a batch of 100, unbatched, flush",
  async (end) => {
    const website = await createWebsite();
    const shared = { apiKey: website.apiKey, websiteId: website.websiteId, apiUrl: `${baseUrl}${end}` };

    const queued = new Databuddy({ ...shared, batchSize: 10, batchTimeout: 50 });
    for (let index = 0; index < 25; index += 1) {
      expect(await queued.track({ name: "queued", properties: { index } })).toMatchObject({ success: true });
    }
    expect(await queued.flush()).toMatchObject({ success: true });

    const large = new Databuddy({ ...shared, batchSize: 100 });
    for (let index = 0; index < 100; index += 1)
      await large.track({ name: "of a hundred", sessionId: `session ${index % 7}` });
    expect(await large.flush()).toMatchObject({ success: true });

    const single = new Databuddy({ ...shared, enableBatching: false });
    expect(await single.track({ name: "alone", anonymousId: "visitor", timestamp: Date.now() })).toMatchObject({
      success: true,
    });

    await expect.poll(() => countsByName(website)).toEqual({ queued: 25, "of a hundred": 100, alone: 1 });
  },
);

test("B2: the SDK reports an invalid key", async () => {
  const website = await createWebsite();
  const client = new Databuddy({
    apiKey: "lk_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    websiteId: website.websiteId,
    apiUrl: baseUrl,
    enableBatching: false,
  });
  expect(await client.track({ name: "refused" })).toMatchObject({ success: false });
});

/** What a tracker in a real Chromium sent, with the ids and times of this test. */
test("B3: the browser tracker's requests, preflight first, are each counted once", async () => {
  const website = await createWebsite({ domain: "shop.example" });
  const { clientId, websiteId } = website;
  const origin = "https://shop.example";
  const headers = {
    origin,
    referer: `${origin}/`,
    "content-type": "application/json",
    "user-agent":
      "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36",
  };
  const preflight = await send("OPTIONS", `/batch?client_id=${clientId}`, {
    headers: { origin, "access-control-request-method": "POST", "access-control-request-headers": "content-type" },
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get("access-control-allow-origin")).toBe(origin);
  expect(preflight.headers.get("access-control-allow-credentials")).toBe("true");

  const page = {
    anonymousId: "anon_5f3c8e1b",
    sessionId: "sess_a81d",
    path: `${origin}/products?ref=mail&utm_source=newsletter#top`,
    title: "Products",
    referrer: "https://www.google.com/search?q=shoes",
    viewport_size: "1280x720",
    timezone: "Europe/Berlin",
    language: "de-DE",
    utm_source: "newsletter",
    gclid: null,
    page_count: 1,
    customersOwnProperty: "flattened",
  };
  const now = Date.now();
  const views = [
    { ...page, eventId: "evt_1", name: "screen_view", timestamp: now - 60_000 },
    { ...page, eventId: "evt_2", name: "screen_view", timestamp: now - 30_000, path: `${origin}/cart` },
    {
      ...page,
      eventId: "evt_3",
      name: "page_exit",
      timestamp: now,
      time_on_page: 30,
      scroll_depth: 80,
      interaction_count: 4,
    },
  ];
  const batch = await send("POST", `/batch?client_id=${clientId}`, { headers, body: views });
  expect(batch.body).toEqual({
    status: "success",
    batch: true,
    processed: 3,
    batched: { track: 3, outgoing_link: 0 },
    results: ["evt_1", "evt_2", "evt_3"].map((eventId) => ({ status: "success", type: "track", eventId })),
  });
  // In-page navigation and unload can send the same exit twice.
  await send("POST", `/batch?client_id=${clientId}`, { headers, body: [views[2]] });

  const purchase = { name: "purchase", timestamp: now, properties: { total: 12.5 }, source: "browser" };
  const ids = { anonymousId: page.anonymousId, sessionId: page.sessionId };
  const track = await send("POST", `/track?website_id=${websiteId}`, {
    headers,
    body: [{ ...purchase, ...ids, websiteId }],
  });
  expect(track).toMatchObject({ status: 200, body: { status: "success", processed: 1 } });
  const unload = await send("POST", `/track?client_id=${clientId}`, {
    headers: { ...headers, "content-type": "text/plain;charset=UTF-8" },
    body: JSON.stringify({ name: "unloaded", timestamp: now, ...ids }),
  });
  expect(unload).toMatchObject({ status: 200, body: { status: "success" } });

  const link = await send("POST", `/?client_id=${clientId}`, {
    headers,
    body: {
      type: "outgoing_link",
      eventId: "out_1",
      href: "https://partner.example/a",
      text: "Partner",
      context: "nav",
      ...ids,
    },
  });
  expect(link).toMatchObject({ status: 200, body: { status: "success", type: "outgoing_link", eventId: "out_1" } });

  await expect.poll(() => countsByName(website)).toEqual({ purchase: 1, unloaded: 1 });
  expect(await rows(website, "summary_metrics")).toMatchObject([{ pageviews: 2, unique_visitors: 1, sessions: 1 }]);
  expect((await rows(website, "top_pages")).map(({ path, views: count }) => [path, count]).sort()).toEqual([
    ["/cart", 1],
    ["/products", 1],
  ]);
  expect(await rows(website, "referrers")).toMatchObject([{ name: "google.com", pageviews: 2 }]);
  expect(await rows(website, "browsers")).toMatchObject([{ name: "Chrome", visitors: 1 }]);
  // Links have a table of their own, whose rows may be seen later.
  await expect.poll(() => rows(website, "outbound_links")).toMatchObject([{ href: "https://partner.example/a" }]);
});
