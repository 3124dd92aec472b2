import { createServerFlagsManager, Databuddy } from "@databuddy/sdk/node";
import { expect, inject, test } from "vitest";
import { send } from "../../kit/calls/request.ts";
import { createWebsite } from "../../kit/calls/website.ts";
import { noonDaysAgo } from "../../kit/stores/noonDaysAgo.ts";
import { storedRows } from "../../kit/stores/storedRows.ts";

const { baseUrl } = inject("lookout");
const timestamp = noonDaysAgo(3);

test("A3 /events: custom events of older clients are stored", async () => {
  const { websiteId, clientId } = await createWebsite();
  const event = { timestamp, path: "https://example.com/a?b=c", eventName: "signup", properties: { plan: "pro" } };
  const answer = await send("POST", `/events?client_id=${clientId}`, {
    body: [{ ...event, anonymousId: "anon-1", sessionId: "session-1", anonymizeVisitorIds: true }, { path: "/" }],
  });
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    status: "success",
    type: "custom_event",
    processed: 2,
    count: 1,
    results: [
      { status: "success", type: "track" },
      { status: "error", type: "track", message: expect.stringMatching(/^eventName /), eventType: "track" },
    ],
  });
  expect(await storedRows("events", websiteId, 1)).toMatchObject([
    { ts: timestamp, event_type: "custom", name: "signup", path: "/a", properties: '{"plan":"pro"}' },
  ]);
});

test("B3 /engagement: the end of a page view is stored as one and counts as no view", async () => {
  const { websiteId, clientId } = await createWebsite();
  const answer = await send("POST", `/engagement?client_id=${clientId}`, {
    headers: { "content-type": "text/plain;charset=UTF-8" },
    body: JSON.stringify([
      {
        eventId: "g1",
        timestamp,
        path: "/a",
        anonymousId: "anon-1",
        sessionId: "session-1",
        pageIndex: 2,
        exitType: "unload",
        timeOnPage: 30,
        activeTime: 20,
        maxScrollDepth: 80,
        interactionCount: 4,
        rageClickTarget: "button",
      },
    ]),
  });
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    status: "success",
    type: "engagement",
    processed: 1,
    count: 1,
    results: [{ status: "success", type: "engagement", eventId: "g1" }],
  });
  expect(await storedRows("events", websiteId, 1)).toMatchObject([
    {
      event_type: "page_exit",
      path: "/a",
      time_on_page_ms: 30_000,
      scroll_depth_percent: 80,
      interaction_count: 4,
      page_count: 2,
    },
  ]);
});

test("B2 identify: success, and nothing of it is stored", async () => {
  const { websiteId, apiKey } = await createWebsite();
  const body = { profileId: "p1", anonymousId: "anon-1", traits: { email: "a@example.com" }, websiteId };
  const answer = await send("POST", "/identify", { apiKey, body });
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({ status: "success", type: "identify", stored: false });
  const client = new Databuddy({ apiKey, websiteId, apiUrl: baseUrl });
  expect(await client.identify({ profileId: "p1", traits: { email: "a@example.com" } })).toEqual({ success: true });
});

test("B2 flags: flags: the answer is always empty", async () => {
  const address = "/public/v1/flags/bulk?clientId=x&userId=u&email=a%40example.com&keys=a,b&environment=test";
  const answer = await send("GET", address);
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({ flags: {} });
});

test("B2 flags: the published client falls back to its defaults", async () => {
  const { clientId } = await createWebsite();
  const flags = createServerFlagsManager({ clientId, apiUrl: baseUrl });
  expect(await flags.getFlag("new-checkout")).toMatchObject({ enabled: false });
});

test.each(["/vitals", "/errors", "/llm", "/events", "/engagement", "/identify", "/px.jpg", "/public/v1/flags/bulk"])(
  "B4.10: OPTIONS %s lets a page of another origin send with credentials",
  async (path) => {
    const origin = "https://shop.example";
    const answer = await send("OPTIONS", path, {
      headers: { origin, "access-control-request-method": "POST", "access-control-request-headers": "content-type" },
    });
    expect(answer.status).toBe(204);
    expect(answer.headers.get("access-control-allow-origin")).toBe(origin);
    expect(answer.headers.get("access-control-allow-credentials")).toBe("true");
    expect(answer.headers.get("access-control-allow-headers")).toContain("content-type");
  },
);
