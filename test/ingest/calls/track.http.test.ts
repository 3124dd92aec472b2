import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { send } from "../../kit/calls/request.ts";
import { createKey, createWebsite } from "../../kit/calls/website.ts";
import { noonDaysAgo } from "../../kit/stores/noonDaysAgo.ts";
import { storedRows } from "../../kit/stores/storedRows.ts";

const timestamp = noonDaysAgo(3);

/** What `@databuddy/sdk` 2.6.0 sends for one event. */
function sdkEvent(websiteId: string | undefined, more: Record<string, unknown> = {}) {
  return {
    name: "purchase",
    namespace: "shop",
    timestamp,
    properties: { plan: "pro" },
    anonymousId: "anon-1",
    anonymizeVisitorIds: "auto",
    profileId: "profile-1",
    websiteId,
    source: "node",
    ...more,
  };
}

const success = {
  status: "success",
  type: "custom_event",
  processed: 1,
  count: 1,
  results: [{ status: "success", type: "track" }],
};

test("5.2: an API key, as Bearer or x-api-key, stores custom events for the website in their body", async () => {
  const { websiteId, apiKey } = await createWebsite();
  const bearer = await send("POST", "/track", { apiKey, body: [sdkEvent(websiteId)] });
  expect(bearer.status).toBe(200);
  expect(bearer.body).toEqual(success);
  const header = await send("POST", "//track", { headers: { "x-api-key": apiKey }, body: sdkEvent(websiteId) });
  expect(header.body).toEqual(success);
  const rows = await storedRows("events", websiteId, 2);
  for (const row of rows)
    expect(row).toMatchObject({ event_type: "custom", name: "purchase", properties: '{"plan":"pro"}', path: null });
});

test("6: events without an id are all counted, and a server's events have no visitor", async () => {
  const { websiteId, apiKey } = await createWebsite();
  const event = sdkEvent(websiteId, { anonymousId: undefined });
  const answer = await send("POST", "/track", { apiKey, body: [event, event, event] });
  expect(answer.body).toMatchObject({ status: "success", processed: 3, count: 3 });
  for (const row of await storedRows("events", websiteId, 3))
    expect(row).toMatchObject({ visitor_key: null, session_key: null });
});

test("5: without a key the website is named by website_id, client_id or the events", async () => {
  const { websiteId, clientId } = await createWebsite();
  for (const [path, event] of [
    [`/track?website_id=${websiteId}`, sdkEvent(undefined)],
    [`/track?client_id=${clientId}`, sdkEvent(undefined)],
    ["/track", sdkEvent(websiteId)],
  ] as const)
    expect((await send("POST", path, { body: [event] })).body).toEqual(success);
  await storedRows("events", websiteId, 3);
});

test("5: a key with one website does not have to name it", async () => {
  const { websiteId, apiKey } = await createWebsite();
  expect((await send("POST", "/track", { apiKey, body: sdkEvent(undefined) })).body).toEqual(success);
  await storedRows("events", websiteId, 1);
});

test("5.7: a key without write:events is answered ACCESS_DENIED, an invalid one INVALID_API_KEY", async () => {
  const { websiteId, apiKey } = await createWebsite({ scopes: ["read:data"] });
  const denied = await send("POST", `/track?website_id=${websiteId}`, { apiKey, body: [sdkEvent(undefined)] });
  expect(denied.status).toBe(403);
  expect(denied.body).toEqual({
    status: "error",
    message: "This API key lacks the scope write:events. Use a key that has it",
    success: false,
    error: "This API key lacks the scope write:events. Use a key that has it",
    code: "ACCESS_DENIED",
    requestId: denied.headers.get("x-request-id"),
  });
  const invalid = await send("POST", `/track?website_id=${websiteId}`, {
    apiKey: "wrong",
    body: [sdkEvent(undefined)],
  });
  expect(invalid).toMatchObject({ status: 401, body: { status: "error", code: "INVALID_API_KEY" } });
});

test("5: a key writes only to the websites it may use", async () => {
  const [own, other] = [await createWebsite(), await createWebsite()];
  for (const body of [sdkEvent(other.websiteId), [sdkEvent(other.websiteId)]]) {
    const answer = await send("POST", "/track", { apiKey: own.apiKey, body });
    expect(answer).toMatchObject({ status: 403, body: { code: "ACCESS_DENIED" } });
  }
  const limited = await createKey({ organizationId: own.organizationId, websiteIds: [randomUUID()] });
  const answer = await send("POST", `/track?website_id=${own.websiteId}`, {
    apiKey: limited,
    body: sdkEvent(undefined),
  });
  expect(answer).toMatchObject({ status: 403, body: { code: "ACCESS_DENIED" } });
});

test("7.6: invalid events among valid ones are errors in results", async () => {
  const { websiteId, apiKey } = await createWebsite();
  const answer = await send("POST", "/track", {
    apiKey,
    body: [sdkEvent(websiteId), sdkEvent(websiteId, { name: "" }), sdkEvent(randomUUID(), { eventId: "e3" })],
  });
  expect(answer.body).toEqual({
    status: "success",
    type: "custom_event",
    processed: 3,
    count: 1,
    results: [
      { status: "success", type: "track" },
      { status: "error", type: "track", message: expect.stringContaining("name"), eventType: "track" },
      {
        status: "error",
        type: "track",
        eventId: "e3",
        message: "websiteId cannot be used: This website does not exist or was deleted; check its website_id",
        eventType: "track",
      },
    ],
  });
  await storedRows("events", websiteId, 1);
});

test("7: SDKs read the status only, so a call that stores nothing is an error", async () => {
  const { websiteId } = await createWebsite();
  const bad = await send("POST", `/track?website_id=${websiteId}`, { body: [{ name: "" }, { name: "x".repeat(300) }] });
  expect(bad).toMatchObject({ status: 400, body: { status: "error", code: "VALIDATION_ERROR" } });
  expect(bad.body).toMatchObject({ details: [{ field: "[0].name" }, { field: "[1].name" }] });
  const unknown = await send("POST", "/track", { body: [sdkEvent(randomUUID())] });
  expect(unknown).toMatchObject({ status: 404, body: { status: "error", code: "NOT_FOUND" } });
  for (const body of [[], [sdkEvent(undefined)]])
    expect(await send("POST", "/track", { body })).toMatchObject({ status: 400, body: { code: "MISSING_WEBSITE_ID" } });
});

test("5.2, 8: an event whose text was cut within a character is stored, with U+FFFD for the half", async () => {
  const { websiteId, apiKey } = await createWebsite();
  const half = { name: "sale \ud83d", properties: { "pl\udc00an": "pro \ud83d", whole: "\ud83d\ude00" } };
  const { body } = await send("POST", "/track", { apiKey, body: [sdkEvent(websiteId, half)] });
  expect(body).toEqual(success);
  const [row] = await storedRows("events", websiteId ?? "", 1);
  expect(row).toMatchObject({
    name: "sale \ufffd",
    properties: JSON.stringify({ "pl\ufffdan": "pro \ufffd", whole: "\ud83d\ude00" }),
  });
});
