import { expect, test } from "vitest";
import { send } from "../../kit/calls/request.ts";
import { createWebsite } from "../../kit/calls/website.ts";
import { noonDaysAgo } from "../../kit/stores/noonDaysAgo.ts";
import { storedRows } from "../../kit/stores/storedRows.ts";

const expired = new Date(noonDaysAgo(3_650)).toISOString().slice(0, 10);
const message = `timestamp must not be before ${expired} (UTC), because events may be up to 3650 days old`;

test("8: an event past the maximum age is refused by name; other events of the batch are stored", async () => {
  const { websiteId, apiKey } = await createWebsite();
  const view = (eventId: string, timestamp: number) => ({ name: "page_view", path: "/", eventId, timestamp });
  const { status, body } = await send("POST", `/batch?website_id=${websiteId}`, {
    apiKey,
    body: [view("old", noonDaysAgo(3_651)), view("oldest", noonDaysAgo(3_650)), view("2001", Date.UTC(2001, 0, 1))],
  });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    processed: 3,
    batched: { track: 1 },
    results: [
      { status: "error", eventId: "old", eventType: "track", message },
      { status: "success", eventId: "oldest" },
      { status: "error", eventId: "2001", message },
    ],
  });
  expect(await storedRows("events", websiteId, 1)).toMatchObject([{ event_id: "oldest" }]);
});

test.each([
  ["/", { name: "page_view", path: "/" }],
  ["/track", [{ name: "signup" }]],
  ["/vitals", [{ path: "/", lcp: 1 }]],
  ["/errors", [{ message: "x", path: "/" }]],
  ["/llm", [{ provider: "openai", model: "gpt-4o" }]],
])("8: %s names the field of an event past the maximum age", async (path, item) => {
  const { websiteId, apiKey } = await createWebsite();
  const old = { timestamp: noonDaysAgo(3_651) };
  const body = Array.isArray(item) ? item.map((one) => ({ ...one, ...old })) : { ...item, ...old };
  expect(await send("POST", `${path}?website_id=${websiteId}`, { apiKey, body })).toMatchObject({
    status: 400,
    body: { code: "VALIDATION_ERROR", details: [{ field: expect.stringMatching(/timestamp$/) }] },
  });
});
