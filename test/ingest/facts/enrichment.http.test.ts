import { afterAll, beforeAll, expect, test } from "vitest";
import { handlers } from "../../../src/main/handlers.ts";
import { send } from "../../kit/calls/request.ts";
import { createWebsite } from "../../kit/calls/website.ts";
import { type OwnServer, startOwnServer } from "../../kit/stack/ownServer.ts";
import { storedRows } from "../../kit/stores/storedRows.ts";

const chrome =
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36";
const crawler = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";
const headless =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/147.0.0.0 Safari/537.36";

/** Addresses of England and Bavaria. */
const english = "81.2.69.142";
const bavarian = "2a02:810d::1";

const view = { name: "page_view", path: "/a", anonymousId: "anon-1", sessionId: "sess-1" };

/** Behind a proxy on this machine, as in production. */
let server: OwnServer;

beforeAll(async () => {
  server = await startOwnServer(handlers, { TRUSTED_PROXIES: "127.0.0.1" });
});

afterAll(() => server.close());

function post(path: string, body: unknown, headers: Record<string, string> = {}, to = server) {
  return send("POST", path, { body, headers: { "user-agent": chrome, ...headers }, baseUrl: to.baseUrl });
}

async function dropped(reason: string): Promise<number> {
  const text = await (await fetch(`${server.baseUrl}/metrics`)).text();
  return Number(new RegExp(`^lookout_events_dropped_total{reason="${reason}"} (\\d+)`, "m").exec(text)?.[1] ?? 0);
}

const batchOf = (...results: object[]) => ({
  status: "success",
  batch: true,
  processed: results.length,
  batched: { track: 0, outgoing_link: 0 },
  results,
});

test("2: the country, region and city of a visitor behind a trusted proxy are stored and can be queried", async () => {
  const { websiteId, apiKey } = await createWebsite();
  const path = `/batch?website_id=${websiteId}`;
  await post(path, [{ ...view, sessionId: "1", path: "/1" }], { "x-forwarded-for": `203.0.113.1, ${english}` });
  await post(path, [{ ...view, sessionId: "2", path: "/2" }], { forwarded: `for="[${bavarian}]:4711";proto=https` });
  await post(path, [{ ...view, sessionId: "3", path: "/3" }], { "x-forwarded-for": "10.0.0.1" });
  const rows = await storedRows("events", websiteId, 3);
  expect(
    Object.fromEntries(rows.map(({ path: page, country, region, city }) => [page, [country, region, city]])),
  ).toEqual({
    "/1": ["GB", "England", "London"],
    "/2": ["DE", "Bavaria", "Untermeitingen"],
    "/3": [null, null, null],
  });
  const answer = await send("POST", `/v1/query?website_id=${websiteId}`, {
    apiKey,
    body: { preset: "today", parameters: ["countries", "regions"] },
  });
  expect(answer.body).toMatchObject({
    data: [
      { data: expect.arrayContaining([expect.objectContaining({ country: "GB", pageviews: 1 })]) },
      { data: expect.arrayContaining([expect.objectContaining({ name: "Bavaria", country: "DE", pageviews: 1 })]) },
    ],
  });
});

test("1: headers of an untrusted client set no address", async () => {
  const { websiteId } = await createWebsite();
  const untrusting = await startOwnServer(handlers);
  try {
    const headers = { "x-forwarded-for": english, "cf-connecting-ip": english, "x-real-ip": english };
    await post(`/batch?website_id=${websiteId}`, [view], headers, untrusting);
    expect(await storedRows("events", websiteId, 1)).toMatchObject([{ country: null, region: null }]);
  } finally {
    await untrusting.close();
  }
});

test.each([
  ["bot", "a crawler", { "user-agent": crawler }],
  ["bot", "a headless browser", { "user-agent": headless }],
  ["do_not_track", "DNT: 1", { dnt: "1" }],
  ["do_not_track", "Sec-GPC: 1", { "sec-gpc": "1" }],
])("1: %s: events with %s succeed, are not stored, and count as dropped", async (reason, _, headers) => {
  const { websiteId } = await createWebsite();
  const before = await dropped(reason);
  const batch = await post(`/batch?website_id=${websiteId}`, [{ ...view, eventId: "e1" }, { path: "/a" }], headers);
  expect(batch.status).toBe(200);
  expect(batch.body).toEqual(
    batchOf(
      { status: "success", type: "track", eventId: "e1" },
      { status: "error", type: "track", message: "name is required", eventType: "track" },
    ),
  );
  const track = await post(`/track?website_id=${websiteId}`, { name: "signup" }, headers);
  expect(track).toMatchObject({ status: 200, body: { status: "success", type: "custom_event", count: 0 } });
  const single = await post(`/?website_id=${websiteId}`, { ...view, eventId: "e2" }, headers);
  expect(single.status).toBe(200);
  expect(single.body).toEqual({ status: "success", type: "track", eventId: "e2" });
  expect(await dropped(reason)).toBe(before + 3);
  // The ids were not claimed, and rows are stored in order, so none of the events above is still in flight.
  await post(`/batch?website_id=${websiteId}`, [{ ...view, eventId: "e1" }]);
  expect(await storedRows("events", websiteId, 1)).toMatchObject([{ event_id: "e1" }]);
});

test("1: a spammer's view is answered with success, not stored, and counted as dropped; other events of the batch are stored", async () => {
  const { websiteId } = await createWebsite();
  const before = await dropped("referrer_spam");
  const spam = { ...view, eventId: "e1", referrer: "https://best.semalt.com/crawler.php?u=x" };
  const answer = await post(`/batch?website_id=${websiteId}`, [spam, { ...view, eventId: "e2" }]);
  expect(answer.body).toEqual({
    ...batchOf(
      { status: "success", type: "track", eventId: "e1" },
      { status: "success", type: "track", eventId: "e2" },
    ),
    batched: { track: 1, outgoing_link: 0 },
  });
  expect(await dropped("referrer_spam")).toBe(before + 1);
  expect(await storedRows("events", websiteId, 1)).toMatchObject([{ event_id: "e2" }]);
});

test("5: with an API key all events are stored, and the server's location is not the visitor's", async () => {
  const { websiteId, apiKey } = await createWebsite();
  const headers = {
    "user-agent": "Mozilla/5.0 (compatible; MyShopBot/1.0)",
    dnt: "1",
    "x-forwarded-for": english,
    authorization: `Bearer ${apiKey}`,
  };
  const spam = { ...view, referrer: "https://semalt.com/" };
  await post(`/batch?website_id=${websiteId}`, [spam], headers);
  await post(`/track?website_id=${websiteId}`, { name: "signup" }, headers);
  await post(`/?website_id=${websiteId}`, view, headers);
  const rows = await storedRows("events", websiteId, 3);
  expect(rows.map(({ country }) => country)).toEqual([null, null, null]);
});

test("5: a key without access to the website has no effect", async () => {
  const { websiteId } = await createWebsite();
  const { apiKey: foreign } = await createWebsite();
  const { apiKey: reader } = await createWebsite({ scopes: ["read:data"] });
  for (const key of [foreign, reader]) {
    const headers = { "x-api-key": key };
    const bot = await post(`/batch?website_id=${websiteId}`, [view], { ...headers, "user-agent": crawler });
    expect(bot.body).toMatchObject({ batched: { track: 0 }, results: [{ status: "success" }] });
    const visitor = await post(`/batch?website_id=${websiteId}`, [view], headers);
    expect(visitor.body).toMatchObject({ batched: { track: 1 } });
  }
  await storedRows("events", websiteId, 2);
});

test("5: a key that is unknown, expired or revoked is refused with every call", async () => {
  const { websiteId } = await createWebsite();
  for (const [name, value] of [
    ["authorization", "Bearer lk_unknown"],
    ["x-api-key", "lk_unknown"],
  ] as const)
    for (const [path, body] of [
      ["/batch", [view]],
      ["/", view],
      ["/track", { name: "signup" }],
    ] as const) {
      const answer = await post(`${path}?website_id=${websiteId}`, body, { [name]: value });
      expect(answer).toMatchObject({ status: 401, body: { status: "error", code: "INVALID_API_KEY" } });
    }
  // A proxy's own credentials are no key.
  const staging = { authorization: `Basic ${btoa("user:password")}` };
  expect(await post(`/batch?website_id=${websiteId}`, [view], staging)).toMatchObject({
    body: { batched: { track: 1 } },
  });
  await storedRows("events", websiteId, 1);
});

test("1: HONOR_DO_NOT_TRACK=false also counts those visitors", async () => {
  const { websiteId } = await createWebsite();
  const own = await startOwnServer(handlers, { HONOR_DO_NOT_TRACK: "false" });
  try {
    await post(`/batch?website_id=${websiteId}`, [view], { dnt: "1", "sec-gpc": "1" }, own);
    await storedRows("events", websiteId, 1);
  } finally {
    await own.close();
  }
});

test("1: events without a User-Agent and events of programs are stored", async () => {
  const { websiteId } = await createWebsite();
  for (const agent of ["", "curl/8.5.0", "python-requests/2.32.3"])
    await post(`/batch?website_id=${websiteId}`, [view], { "user-agent": agent });
  await storedRows("events", websiteId, 3);
});

test("2: traffic sources are groups, referrers stay hosts", async () => {
  const { websiteId, apiKey } = await createWebsite();
  const arrivals = [
    { referrer: "https://www.google.com/search?q=x" },
    { referrer: "https://www.bing.com/" },
    { referrer: "https://l.facebook.com/" },
    { referrer: "https://news.example/article" },
    { referrer: "https://www.google.com/", path: "/a?gclid=1" },
    { path: "/a?utm_medium=email" },
    {},
    { referrer: "https://example.com/before" },
  ];
  await post(
    `/batch?website_id=${websiteId}`,
    arrivals.map((arrival, index) => ({ ...view, anonymousId: `anon-${index}`, sessionId: `s${index}`, ...arrival })),
  );
  await storedRows("events", websiteId, arrivals.length);
  const answer = await send("POST", `/v1/query?website_id=${websiteId}`, {
    apiKey,
    body: { preset: "today", parameters: ["traffic_sources", "referrers"] },
  });
  type Rows = { data: { data: { source: string; referrer: string; pageviews: number; visitors: number }[] }[] };
  const [sources, referrers] = (answer.body as Rows).data;
  expect(Object.fromEntries(sources?.data.map(({ source, pageviews }) => [source, pageviews]) ?? [])).toEqual({
    search: 2,
    social: 1,
    referral: 1,
    paid: 1,
    email: 1,
    // A visit that begins within the website came from nowhere that is known.
    direct: 2,
  });
  expect(referrers?.data.map(({ referrer }) => referrer).sort()).toEqual(
    ["Direct", "bing.com", "google.com", "l.facebook.com", "news.example"].sort(),
  );
  const filtered = await send("POST", `/v1/query?website_id=${websiteId}`, {
    apiKey,
    body: {
      preset: "today",
      parameters: ["top_pages"],
      filters: [{ field: "traffic_source", op: "eq", value: "search" }],
    },
  });
  expect(filtered.body).toMatchObject({ data: [{ success: true, data: [{ pageviews: 2 }] }] });
});
