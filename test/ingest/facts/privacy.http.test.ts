import { afterAll, beforeAll, expect, test } from "vitest";
import { createWebsite } from "../../kit/calls/website.ts";
import { type ApiProcess, startApiProcess } from "../../kit/stack/apiProcess.ts";
import { storedRows } from "../../kit/stores/storedRows.ts";

const visitors = ["81.2.69.142", "2a02:810d::1"];

const chrome =
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36";

let api: ApiProcess;

beforeAll(async () => {
  api = await startApiProcess({ LOG_LEVEL: "trace", TRUSTED_PROXIES: "127.0.0.0/8" });
});

afterAll(() => api.stop());

test("1: a visitor's address is in no stored column, log line, metric, answer or error", async () => {
  const { websiteId, apiKey } = await createWebsite();
  const view = { name: "page_view", path: "/a", anonymousId: "anon-1", sessionId: "sess-1" };
  const link = { type: "outgoing_link", href: "https://other.example/", anonymousId: "anon-1" };
  const answers: string[] = [];
  for (const visitor of visitors) {
    const post = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
      const response = await fetch(`${api.baseUrl}${path}`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "user-agent": chrome,
          "x-forwarded-for": visitor,
          "x-real-ip": visitor,
          "cf-connecting-ip": visitor,
          forwarded: `for="${visitor}"`,
          ...headers,
        },
        body: typeof body === "string" ? body : JSON.stringify(body),
      });
      answers.push(JSON.stringify([...response.headers]), await response.text());
      return response.status;
    };
    expect(await post(`/batch?website_id=${websiteId}`, [view, link])).toBe(200);
    expect(await post(`/track?website_id=${websiteId}`, { name: "signup" })).toBe(200);
    expect(await post(`/?website_id=${websiteId}`, view)).toBe(200);
    expect(await post(`/vitals?website_id=${websiteId}`, [{ metricName: "LCP", metricValue: 900, path: "/a" }])).toBe(
      200,
    );
    expect(await post(`/errors?website_id=${websiteId}`, [{ message: "x is not defined", path: "/a" }])).toBe(200);
    expect(await post(`/batch?website_id=${websiteId}`, [view], { dnt: "1" })).toBe(200);
    expect(await post(`/batch?website_id=${websiteId}`, [view], { "user-agent": "Googlebot/2.1" })).toBe(200);
    expect(await post(`/batch?website_id=${websiteId}`, [{ path: 7 }])).toBe(200);
    expect(await post(`/batch?website_id=${websiteId}`, "{no JSON")).toBe(400);
    const key = { "x-api-key": apiKey, "x-forwarded-for": "", forwarded: "", "x-real-ip": "", "cf-connecting-ip": "" };
    expect(await post(`/batch?website_id=${websiteId}`, [{ ...view, ip: visitor, userAgent: chrome }], key)).toBe(200);
    const wrong = { ...view, ip: `${visitor} or so`, country: visitor };
    expect(await post(`/?website_id=${websiteId}`, wrong, key)).toBe(400);
    expect(await post("/batch?website_id=unknown", [view])).toBe(404);
    expect(await post("/v1/query", { parameters: ["top_pages"] })).toBe(401);
  }
  const stored = {
    events: await storedRows("events", websiteId, 8),
    outgoing_links: await storedRows("outgoing_links", websiteId, 2),
    performance_metrics: await storedRows("performance_metrics", websiteId, 2),
    script_errors: await storedRows("script_errors", websiteId, 2),
  };
  for (const table of ["events", "performance_metrics", "script_errors"] as const)
    expect(new Set(stored[table].map(({ country }) => country))).toEqual(new Set(["GB", "DE"]));
  const metrics = await (await fetch(`${api.baseUrl}/metrics`)).text();
  expect(metrics).toContain('lookout_events_dropped_total{reason="do_not_track"} 2');
  expect(api.output()).toContain("the API is ready");
  for (const visitor of visitors)
    for (const text of [JSON.stringify(stored), ...answers, metrics, api.output()]) expect(text).not.toContain(visitor);
});
