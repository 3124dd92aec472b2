import { expect, test } from "vitest";
import { send } from "../../kit/calls/request.ts";
import { createWebsite } from "../../kit/calls/website.ts";
import { noonDaysAgo } from "../../kit/stores/noonDaysAgo.ts";
import { storedRows } from "../../kit/stores/storedRows.ts";

const timestamp = noonDaysAgo(3);
const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0";

/** What the browser tracker sends for one error. */
const sent = {
  eventId: "e1",
  timestamp,
  path: "/cart?token=secret",
  message: "Failed to fetch https://api.example.com/user?email=a@example.com",
  filename: "https://example.com/app.js?v=12",
  lineno: 10,
  colno: 5,
  stack: "TypeError: no\n    at load (https://example.com/app.js?v=12:10:5)\n    at /b#c",
  errorType: "TypeError",
  anonymousId: "anon-1",
  sessionId: "session-1",
};

test("B3 /errors: errors of a browser are stored without query strings", async () => {
  const { websiteId, clientId } = await createWebsite();
  const answer = await send("POST", `/errors?client_id=${clientId}`, {
    headers: { "user-agent": firefox },
    body: [sent],
  });
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    status: "success",
    type: "error",
    processed: 1,
    count: 1,
    results: [{ status: "success", type: "error", eventId: "e1" }],
  });
  expect(await storedRows("script_errors", websiteId, 1)).toEqual([
    {
      ts: timestamp,
      website_id: websiteId,
      event_key: expect.anything(),
      message: "Failed to fetch https://api.example.com/user",
      error_type: "TypeError",
      filename: "https://example.com/app.js",
      line_number: 10,
      column_number: 5,
      stack: "TypeError: no\n    at load (https://example.com/app.js:10:5)\n    at /b",
      path: "/cart",
      visitor_key: expect.anything(),
      session_key: expect.anything(),
      event_id: "e1",
      anonymous_id: "anon-1",
      session_id: "session-1",
      country: null,
      region: null,
      browser: "Firefox",
      browser_version: "133",
      os: "Linux",
      os_version: null,
      device: "desktop",
    },
  ]);
});

test("B3 /errors: an error with only the required fields is stored, long texts are cut", async () => {
  const { websiteId } = await createWebsite();
  const body = { message: "m".repeat(9_000), stack: "s".repeat(60_000), name: "Error", line: 0, column: 0 };
  const answer = await send("POST", `/errors?website_id=${websiteId}`, { body });
  expect(answer).toMatchObject({ status: 200, body: { status: "success", count: 1 } });
  expect(await storedRows("script_errors", websiteId, 1)).toMatchObject([
    { message: "m".repeat(2_048), stack: "s".repeat(8_192), error_type: "Error", line_number: 0 },
  ]);
});

test("B4.14: a repeated error is stored once", async () => {
  const { websiteId } = await createWebsite();
  const twice = await send("POST", `/errors?website_id=${websiteId}`, { body: [sent, sent] });
  expect(twice.body).toMatchObject({ processed: 2, count: 1, results: [{ eventId: "e1" }, { status: "success" }] });
  await send("POST", `/errors?website_id=${websiteId}`, {
    body: [{ ...sent, timestamp: undefined }, { message: "another" }],
  });
  await storedRows("script_errors", websiteId, 2);
});

test("7.6: invalid errors among valid ones are errors in results", async () => {
  const { websiteId } = await createWebsite();
  const body = [{ message: "good" }, { eventId: "e2", path: "/" }, { message: "bad", lineno: -1 }];
  const answer = await send("POST", `/errors?website_id=${websiteId}`, { body });
  const failed = { status: "error", type: "error", eventType: "error" };
  expect(answer.body).toEqual({
    status: "success",
    type: "error",
    processed: 3,
    count: 1,
    results: [
      { status: "success", type: "error" },
      { ...failed, eventId: "e2", message: expect.stringMatching(/^message /) },
      { ...failed, message: expect.stringMatching(/^lineno /) },
    ],
  });
  const none = await send("POST", `/errors?website_id=${websiteId}`, { body: { stack: "no message" } });
  expect(none).toMatchObject({
    status: 400,
    body: { status: "error", code: "VALIDATION_ERROR", details: [{ field: "[0].message" }] },
  });
});
