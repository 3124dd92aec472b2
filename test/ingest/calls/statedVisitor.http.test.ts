import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, expect, test } from "vitest";
import { IngestService } from "../../../src/gen/lookout/v1/ingest_pb.ts";
import { handlers } from "../../../src/main/handlers.ts";
import { send } from "../../kit/calls/request.ts";
import { createWebsite, type TestWebsite } from "../../kit/calls/website.ts";
import { type OwnServer, startOwnServer } from "../../kit/stack/ownServer.ts";
import { storedRows } from "../../kit/stores/storedRows.ts";

const chrome =
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36";
const iphone =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1";
const crawler = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";

/** Behind a proxy on this machine, as in production. */
let server: OwnServer;

beforeAll(async () => {
  server = await startOwnServer(handlers, { TRUSTED_PROXIES: "127.0.0.1" });
});

afterAll(() => server.close());

/** Three visitors in England and Bavaria, a bot and a spammer. */
const visits = [
  { ip: "81.2.69.142", userAgent: chrome, anonymousId: "a", sessionId: "s1", paths: ["/", "/pricing"] },
  { ip: "2a02:810d::1", userAgent: iphone, anonymousId: "b", sessionId: "s2", paths: ["/"] },
  { ip: "2a02:810d::1", userAgent: chrome, anonymousId: "c", sessionId: "s3", paths: ["/pricing"] },
  { ip: "81.2.69.142", userAgent: crawler, anonymousId: "d", sessionId: "s4", paths: ["/"] },
  {
    ip: "81.2.69.142",
    userAgent: chrome,
    anonymousId: "e",
    sessionId: "s5",
    paths: ["/"],
    referrer: "https://semalt.com/",
  },
];

const questions = [
  ...["summary_metrics", "countries", "regions", "cities", "browsers", "browser_versions"],
  ...["operating_systems", "device_types", "top_pages", "entry_pages", "sessions", "traffic_sources"],
];

async function answers({ websiteId, apiKey }: TestWebsite): Promise<unknown> {
  const { body } = await send("POST", `/v1/query?website_id=${websiteId}`, {
    apiKey,
    body: { preset: "last_7d", parameters: questions },
  });
  return (body as { data: unknown }).data;
}

test("6: the same visits through the tracker and through a server give equal answers", async () => {
  const [tracked, overJson, overGrpc] = [await createWebsite(), await createWebsite(), await createWebsite()];
  const nowMs = Date.now();
  const forwarded: object[] = [];
  for (const { ip, userAgent, paths, ...visitor } of visits) {
    const events = paths.map((path, index) => ({ name: "page_view", path, timestamp: nowMs + index, ...visitor }));
    const headers = { "x-forwarded-for": ip, "user-agent": userAgent };
    await send("POST", `/batch?website_id=${tracked.websiteId}`, { body: events, headers, baseUrl: server.baseUrl });
    forwarded.push(...events.map((event) => ({ ...event, ip, userAgent })));
  }
  const path = `/batch?website_id=${overJson.websiteId}`;
  const { body } = await send("POST", path, { body: forwarded, apiKey: overJson.apiKey, baseUrl: server.baseUrl });
  expect(body).toMatchObject({ batched: { track: 4 }, processed: 6 });
  const answer = await createClient(IngestService, createGrpcTransport({ baseUrl: server.baseUrl })).batch(
    {
      websiteId: overGrpc.websiteId,
      events: forwarded.map((value) => ({ payload: { case: "flat" as const, value } })),
    },
    { headers: { authorization: `Bearer ${overGrpc.apiKey}` } },
  );
  expect(answer.batched).toMatchObject({ track: 4 });
  for (const { websiteId } of [tracked, overJson, overGrpc]) await storedRows("events", websiteId, 4);
  const expected = await answers(tracked);
  expect(JSON.stringify(expected)).toMatch(/"GB".*"Bavaria".*"Untermeitingen".*"Safari".*"mobile"/s);
  expect(await answers(overJson)).toEqual(expected);
  expect(await answers(overGrpc)).toEqual(expected);
});

const bavarian = {
  country: "DE",
  region: "Bavaria",
  city: "Munich",
  browser: "Firefox",
  os: "Linux",
  device: "desktop",
};
const columns = ({ country, region, city, browser, os, device }: Record<string, unknown>) => ({
  ...{ country, region, city, browser, os, device },
});

test("6: every call takes what a server states", async () => {
  const { websiteId, apiKey } = await createWebsite();
  const post = async (path: string, body: object) => {
    const { status } = await send("POST", `${path}?website_id=${websiteId}`, { body, apiKey, baseUrl: server.baseUrl });
    expect(status, path).toBe(200);
  };
  const who = { anonymousId: "a", sessionId: "s", ...bavarian };
  const payload = {
    ...{ name: "page_view", sessionStartTime: Date.now(), timestamp: Date.now(), path: "/", title: "", referrer: "" },
    ...{ screen_resolution: "1x1", viewport_size: "1x1", timezone: "UTC", language: "en", ttfb: 9, ...who },
  };
  await post("/batch", [{ type: "track", payload }]);
  await post("/track", { name: "signup", ...who });
  await post("/", { name: "page_view", path: "/", ...who });
  await post("/events", { eventName: "signup", ...who });
  await post("/engagement", { timeOnPage: 3, path: "/", ...who });
  await post("/vitals", { metricName: "LCP", metricValue: 9, path: "/", ...who });
  await post("/errors", { message: "x is not defined", path: "/", ...who });
  expect((await storedRows("events", websiteId, 5)).map(columns)).toEqual(Array(5).fill(bavarian));
  expect((await storedRows("performance_metrics", websiteId, 2)).map(columns)).toEqual(Array(2).fill(bavarian));
  const { city: _, ...withoutCity } = bavarian;
  expect(await storedRows("script_errors", websiteId, 1)).toMatchObject([withoutCity]);
});

test("6: without a key what is stated has no effect, whatever it is", async () => {
  const { websiteId } = await createWebsite();
  const event = { name: "page_view", path: "/", ...bavarian, ip: { v4: 1 }, userAgent: crawler, country: 7 };
  const headers = { "user-agent": iphone, "x-forwarded-for": "81.2.69.142" };
  const path = `/batch?website_id=${websiteId}`;
  const { body } = await send("POST", path, { body: [event], headers, baseUrl: server.baseUrl });
  expect(body).toMatchObject({ batched: { track: 1 } });
  const london = { country: "GB", region: "England", city: "London", browser: "Safari", os: "iOS", device: "mobile" };
  expect((await storedRows("events", websiteId, 1)).map(columns)).toEqual([london]);
});

test("6: a wrong value is an error that names its field, an unknown name is left out", async () => {
  const { websiteId, apiKey } = await createWebsite();
  const options = { apiKey, baseUrl: server.baseUrl };
  const event = { name: "page_view", path: "/" };
  const { body } = await send("POST", `/batch?website_id=${websiteId}`, {
    ...options,
    body: [
      { ...event, country: "Germany" },
      { ...event, ip: "here" },
      { ...event, country: "DE", city: "No-Such-Town" },
    ],
  });
  expect(body).toMatchObject({
    batched: { track: 1 },
    results: [
      { message: "country must be an ISO 3166-1 alpha-2 code, such as DE; did you mean DE?" },
      { message: "ip must be an IPv4 or IPv6 address, such as 203.0.113.7 or 2001:db8::7" },
      { message: "Stored, but left out: city (no English name of a place in the location database)" },
    ],
  });
  const path = `/track?website_id=${websiteId}`;
  const refused = await send("POST", path, {
    ...options,
    body: { name: "signup", userAgent: chrome, browser: "Chrome" },
  });
  expect(refused).toMatchObject({ status: 400, body: { details: [{ field: "[0].browser" }] } });
});

test("5: a key that may not write to the website must not state visitors", async () => {
  const { websiteId } = await createWebsite();
  const { apiKey: foreign } = await createWebsite();
  const { apiKey: reader } = await createWebsite({ scopes: ["read:data"] });
  const results = await Promise.all(
    [foreign, reader].map(async (apiKey) => {
      const body = { name: "page_view", path: "/", country: "DE" };
      return await send("POST", `/?website_id=${websiteId}`, { body, apiKey, baseUrl: server.baseUrl });
    }),
  );
  expect(results).toMatchObject([
    {
      status: 400,
      body: { details: [{ field: "country", message: expect.stringMatching(/write to this website$/) }] },
    },
    { status: 400, body: { details: [{ field: "country", message: expect.stringMatching(/scope write:events$/) }] } },
  ]);
});
