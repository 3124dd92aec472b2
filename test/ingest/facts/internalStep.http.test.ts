import { expect, test } from "vitest";
import { send } from "../../kit/calls/request.ts";
import { createWebsite } from "../../kit/calls/website.ts";
import { storedRows } from "../../kit/stores/storedRows.ts";

test("2: a step within the website has no source, whatever host it was made on", async () => {
  const { websiteId } = await createWebsite({ domain: "shop.example" });
  const view = (path: string, more: object) => ({ name: "page_view", anonymousId: "v", sessionId: "s", path, ...more });
  const body = [
    view("/direct", {}),
    view("/empty", { referrer: "" }),
    view("/internal", { referrer: "internal" }),
    view("/own", { referrer: "https://shop.example/before" }),
    view("/campaign?utm_medium=email", { referrer: "internal" }),
    view("/other", { referrer: "https://news.example/" }),
  ];
  expect((await send("POST", `/batch?website_id=${websiteId}`, { body })).status).toBe(200);
  const rows = await storedRows("events", websiteId, body.length);
  const sources = rows.map((row) => [row["path"], [row["referrer_group"], row["referrer"], row["referrer_source"]]]);
  expect(Object.fromEntries(sources)).toEqual({
    "/direct": ["direct", null, null],
    "/empty": ["direct", null, null],
    "/internal": [null, null, null],
    "/own": [null, "https://shop.example/before", null],
    "/campaign": ["email", null, null],
    "/other": ["referral", "https://news.example/", "news.example"],
  });
});
