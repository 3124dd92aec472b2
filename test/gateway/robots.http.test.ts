import { expect, test } from "vitest";
import { send } from "../kit/calls/request.ts";

test("crawlers are told what they may read: short links, status pages and the scripts of the tracker", async () => {
  const { status, body, headers } = await send("GET", "/robots.txt");
  expect(status).toBe(200);
  expect(headers.get("content-type")).toBe("text/plain; charset=utf-8");
  const lines = String(body).split("\n");
  expect(lines).toContain("User-agent: *");
  expect(lines).toContain("Disallow: /");
  for (const path of ["/l/", "/status/", "/tracker.js"]) expect(lines).toContain(`Allow: ${path}`);
});

test.each(["/", "/sign-in", "/shared/abc", "/dashboard/x/y"])(
  "no crawler lists the page %s of the app",
  async (path) => {
    const { status, headers } = await send("GET", path);
    expect(status).toBe(200);
    expect(headers.get("x-robots-tag")).toBe("noindex");
  },
);
