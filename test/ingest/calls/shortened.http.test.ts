import { expect, test } from "vitest";
import { send } from "../../kit/calls/request.ts";
import { createWebsite } from "../../kit/calls/website.ts";
import { storedRows } from "../../kit/stores/storedRows.ts";

test("6: an event with a text over the stored length is stored, and its result names what was cut", async () => {
  const { websiteId } = await createWebsite();
  const now = Date.now();
  const payload = {
    ...{ name: "page_view", anonymousId: "v", sessionId: "s", sessionStartTime: now, timestamp: now, path: "/" },
    ...{ referrer: "", screen_resolution: "1x1", viewport_size: "1x1", timezone: "UTC", language: "en" },
  };
  const long = "t".repeat(600);
  const body = [
    { type: "track", payload: { ...payload, eventId: "1", title: "Short" } },
    { type: "track", payload: { ...payload, eventId: "2", title: long, utm_source: long } },
    {
      ...payload,
      eventId: "3",
      path: `/${"p".repeat(3_000)}?q=${long}`,
      referrer: `https://a.example/${long}?${"q".repeat(5_000)}`,
    },
    { type: "outgoing_link", payload: { eventId: "4", href: `https://a.example/${"h".repeat(9_000)}` } },
  ];
  const answer = await send("POST", `/batch?website_id=${websiteId}`, { body });
  expect(answer).toMatchObject({ status: 200, body: { batched: { track: 3, outgoing_link: 1 } } });
  const { results } = answer.body as { results: { status: string; message?: string }[] };
  expect(results.map(({ status, message }) => [status, message])).toEqual([
    ["success", undefined],
    ["success", "Stored, but cut: title to 512 characters, utm_source to 512 characters"],
    ["success", "Stored, but cut: path to 2048 characters"],
    ["success", "Stored, but cut: href to 8192 characters"],
  ]);
  const events = await storedRows("events", websiteId, 3);
  expect(events.find(({ event_id }) => event_id === "2")).toMatchObject({ title: "t".repeat(512) });
});

test("6: texts over a limit of the specification are refused by name", async () => {
  const { websiteId } = await createWebsite();
  const link = {
    type: "outgoing_link",
    payload: { eventId: "1", href: "https://a.example/", text: "t".repeat(1_025) },
  };
  const { body } = await send("POST", `/batch?website_id=${websiteId}`, { body: [link] });
  expect(body).toMatchObject({ results: [{ status: "error", message: expect.stringContaining("text") }] });
});
