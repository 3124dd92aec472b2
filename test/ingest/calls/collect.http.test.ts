import { expect, test } from "vitest";
import { send } from "../../kit/calls/request.ts";
import { createWebsite } from "../../kit/calls/website.ts";
import { storedRows } from "../../kit/stores/storedRows.ts";

test("6: a single outgoing link of a published tracker is stored", async () => {
  const { websiteId, clientId } = await createWebsite();
  const answer = await send("POST", `/?client_id=${clientId}`, {
    headers: { "content-type": "text/plain;charset=UTF-8" },
    body: { type: "outgoing_link", eventId: "e1", href: "https://other.example/a", text: "Other", context: "footer" },
  });
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({ status: "success", type: "outgoing_link", eventId: "e1" });
  expect(await storedRows("outgoing_links", websiteId, 1)).toMatchObject([
    { event_id: "e1", href: "https://other.example/a", text: "Other", visitor_key: expect.any(Number) },
  ]);
});

test("6: a single page view without an id of its own is stored", async () => {
  const { websiteId } = await createWebsite();
  const answer = await send("POST", `/?website_id=${websiteId}`, { body: { name: "screen_view", path: "/a" } });
  expect(answer.body).toEqual({ status: "success", type: "track" });
  const [row] = await storedRows("events", websiteId, 1);
  expect(row).toMatchObject({ event_type: "page_view", path: "/a", visitor_key: row?.["session_key"] });
});

test("7: a single invalid event is refused with the reason", async () => {
  const { websiteId } = await createWebsite();
  const answer = await send("POST", `/?website_id=${websiteId}`, { body: { path: "/a" } });
  expect(answer.status).toBe(400);
  expect(answer.body).toEqual({
    status: "error",
    message: "name is required",
    success: false,
    error: "name is required",
    code: "VALIDATION_ERROR",
    requestId: answer.headers.get("x-request-id"),
    details: [{ field: "name", message: "is required" }],
  });
});

test("7: an event without a website is answered MISSING_WEBSITE_ID", async () => {
  const answer = await send("POST", "/", { body: { name: "screen_view", path: "/a" } });
  expect(answer).toMatchObject({ status: 400, body: { status: "error", code: "MISSING_WEBSITE_ID" } });
});
