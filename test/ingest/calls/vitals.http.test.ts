import { expect, test } from "vitest";
import { send } from "../../kit/calls/request.ts";
import { createKey, createWebsite } from "../../kit/calls/website.ts";
import { noonDaysAgo } from "../../kit/stores/noonDaysAgo.ts";
import { storedRows } from "../../kit/stores/storedRows.ts";

const timestamp = noonDaysAgo(3);
const chrome = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36";

/** What the browser tracker sends for one figure. */
function vital(metricName: string, metricValue: number, more: Record<string, unknown> = {}) {
  return {
    timestamp,
    path: "/shop?email=a@example.com",
    metricName,
    metricValue,
    anonymousId: "anon-1",
    sessionId: "session-1",
    anonymizeVisitorIds: "auto",
    ...more,
  };
}

test("B3 /vitals, 2 performance metric record: a browser's array, as text/plain with the client id, is stored row by row", async () => {
  const { websiteId, clientId } = await createWebsite();
  const origin = "https://example.com";
  const answer = await send("POST", `/vitals?client_id=${clientId}`, {
    headers: { origin, "content-type": "text/plain;charset=UTF-8", "user-agent": chrome },
    body: JSON.stringify([vital("CLS", 0.05), vital("LCP", 1234.5)]),
  });
  expect(answer.status).toBe(200);
  expect(answer.headers.get("access-control-allow-origin")).toBe(origin);
  expect(answer.headers.get("access-control-allow-credentials")).toBe("true");
  const result = { status: "success", type: "web_vitals" };
  expect(answer.body).toEqual({
    status: "success",
    type: "web_vitals",
    processed: 2,
    count: 2,
    results: [result, result],
  });
  const rows = await storedRows("performance_metrics", websiteId, 2);
  const shared = {
    ts: timestamp,
    website_id: websiteId,
    session_id: "session-1",
    path: "/shop",
    browser: "Chrome",
    os: "Linux",
    device: "desktop",
  };
  expect(rows.toSorted((a, b) => String(a["metric_type"]).localeCompare(String(b["metric_type"])))).toMatchObject([
    { ...shared, metric_type: "CLS", value: 0.05 },
    { ...shared, metric_type: "LCP", value: 1234.5 },
  ]);
  expect(rows[0]).toMatchObject({ visitor_key: rows[1]?.["visitor_key"], session_key: rows[1]?.["session_key"] });
});

test("2 performance metric record: all figures of a page in one object are stored as one row each", async () => {
  const { websiteId } = await createWebsite();
  const figures = {
    lcp: 1,
    fid: 2,
    cls: 0.3,
    ttfb: 4,
    fcp: 5,
    inp: 6,
    load_time: 7,
    dom_ready_time: 8,
    render_time: 9,
    time_to_interactive: 10,
    resource_load_time: 11,
  };
  const body = { eventId: "v1", timestamp, path: "/", ...figures };
  const answer = await send("POST", `/vitals?website_id=${websiteId}`, { body });
  expect(answer.body).toEqual({
    status: "success",
    type: "web_vitals",
    processed: 1,
    count: 1,
    results: [{ status: "success", type: "web_vitals", eventId: "v1" }],
  });
  const rows = await storedRows("performance_metrics", websiteId, 11);
  expect(Object.fromEntries(rows.map((row) => [row["metric_type"], row["value"]]))).toEqual({
    LCP: 1,
    FID: 2,
    CLS: 0.3,
    TTFB: 4,
    FCP: 5,
    INP: 6,
    load_time: 7,
    dom_ready_time: 8,
    render_time: 9,
    time_to_interactive: 10,
    resource_load_time: 11,
  });
});

test("B4.14: one id may have several figures, and a repeated figure is stored once, even with another time", async () => {
  const { websiteId } = await createWebsite();
  for (const late of [0, 1_000]) {
    const more = { eventId: "v1", timestamp: timestamp + late };
    const body = [vital("FCP", 1, more), vital("INP", 2, more), vital("FCP", 1, more)];
    const answer = await send("POST", `/vitals?website_id=${websiteId}`, { body });
    expect(answer.body).toMatchObject({ status: "success", processed: 3 });
  }
  const rows = await storedRows("performance_metrics", websiteId, 2);
  expect(rows.map((row) => row["metric_type"]).sort()).toEqual(["FCP", "INP"]);
  for (const row of rows) expect(row["ts"]).toBe(timestamp);
});

test("7.6: invalid measurements among valid ones are errors in results, names are suggested", async () => {
  const { websiteId } = await createWebsite();
  const body = [
    vital("FCP", 1),
    vital("LCPP", 1, { eventId: "v2" }),
    vital("INP", -1),
    { path: "/", metricName: "INP" },
    { path: "/" },
    "no object",
  ];
  const answer = await send("POST", `/vitals?website_id=${websiteId}`, { body });
  expect(answer.status).toBe(200);
  const failed = { status: "error", type: "web_vitals", eventType: "web_vitals" };
  expect(answer.body).toEqual({
    status: "success",
    type: "web_vitals",
    processed: 6,
    count: 1,
    results: [
      { status: "success", type: "web_vitals" },
      { ...failed, eventId: "v2", message: expect.stringMatching(/^metricName .*did you mean LCP\?$/) },
      { ...failed, message: expect.stringMatching(/^metricValue must be/) },
      { ...failed, message: "metricValue is required" },
      { ...failed, message: "metricName is required" },
      { ...failed, message: "The event must be an object" },
    ],
  });
  await storedRows("performance_metrics", websiteId, 1);
});

test("7: no valid item, no website and no right to it are answered in the shape of a batch's errors", async () => {
  const { websiteId } = await createWebsite();
  const bad = await send("POST", `/vitals?website_id=${websiteId}`, { body: [{ path: "/" }] });
  expect(bad.status).toBe(400);
  expect(bad.body).toEqual({
    status: "error",
    message: "[0].metricName is required",
    success: false,
    error: "[0].metricName is required",
    code: "VALIDATION_ERROR",
    requestId: bad.headers.get("x-request-id"),
    details: [{ field: "[0].metricName", message: "is required" }],
  });
  const nowhere = await send("POST", "/vitals", { body: vital("FCP", 1) });
  expect(nowhere).toMatchObject({ status: 400, body: { status: "error", code: "MISSING_WEBSITE_ID" } });
  const many = await send("POST", `/vitals?website_id=${websiteId}`, { body: Array(101).fill(vital("FCP", 1)) });
  expect(many).toMatchObject({ status: 400, body: { message: expect.stringMatching(/^Batch too large/) } });
  const { apiKey } = await createWebsite();
  const other = await send("POST", `/vitals?website_id=${websiteId}`, { apiKey, body: vital("FCP", 1) });
  expect(other).toMatchObject({ status: 403, body: { status: "error", code: "ACCESS_DENIED" } });
});

test("5: a key with one website does not have to name it", async () => {
  const { websiteId, organizationId } = await createWebsite();
  const apiKey = await createKey({ organizationId, scopes: ["write:events"] });
  const answer = await send("POST", "/vitals", { apiKey, body: vital("FCP", 1) });
  expect(answer).toMatchObject({ status: 200, body: { count: 1 } });
  await storedRows("performance_metrics", websiteId, 1);
});

test("4: measurements of bots and of visitors with Do Not Track are answered with success and not stored", async () => {
  const { websiteId } = await createWebsite();
  const refused: Record<string, string>[] = [
    { "user-agent": "Googlebot/2.1" },
    { "user-agent": chrome, "sec-gpc": "1" },
  ];
  for (const headers of refused) {
    const answer = await send("POST", `/vitals?website_id=${websiteId}`, { headers, body: vital("FCP", 1) });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      status: "success",
      type: "web_vitals",
      processed: 1,
      count: 0,
      results: [{ status: "success", type: "web_vitals" }],
    });
  }
  await send("POST", `/vitals?website_id=${websiteId}`, { body: vital("LCP", 1) });
  expect(await storedRows("performance_metrics", websiteId, 1)).toMatchObject([{ metric_type: "LCP" }]);
});
