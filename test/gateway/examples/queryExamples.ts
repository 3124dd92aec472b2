import { expect } from "vitest";
import { chrome } from "../../kit/calls/linkCalls.ts";
import { send } from "../../kit/calls/request.ts";
import type { TestWebsite } from "../../kit/calls/website.ts";
import type { OwnServer } from "../../kit/stack/ownServer.ts";
import type { Recorder } from "./recorder.ts";

/** Visits that the questions below are about: all begin on a page, most see prices, some sign up, one buys. */
async function sendVisits(websiteId: string): Promise<void> {
  const names = [
    ["page_view", "/"],
    ["page_view", "/pricing"],
    ["signup", "/signup"],
    ["order", "/checkout"],
  ] as const;
  const events = [1, 2, 3, 4, 5].flatMap((visitor) =>
    names.slice(0, Math.max(1, 5 - visitor)).map(([name, path], step) => ({
      name,
      path,
      anonymousId: `visitor-${visitor}`,
      sessionId: `session-${visitor}`,
      timestamp: Date.now() - 60_000 + step * 10_000,
      referrer: visitor % 2 === 0 ? "https://www.google.com/" : "",
      ...(name === "order" ? { properties: { plan: "pro", price: 49 } } : {}),
    })),
  );
  const body = events.map((event) => ({ type: "track", ...event }));
  const answer = await send("POST", `/batch?website_id=${websiteId}`, { body, headers: { "user-agent": chrome } });
  expect(answer.status).toBe(200);
}

/** Questions about events. `own` is a server with a rate limit of one structured query. */
export async function recordQueries(
  recorder: Recorder,
  { websiteId, apiKey }: TestWebsite,
  { baseUrl }: OwnServer,
): Promise<void> {
  await sendVisits(websiteId);
  const query = { website_id: websiteId };
  const body = { preset: "last_7d", parameters: ["top_pages"] };
  const rows = async () => {
    const answer = await send("POST", `/v1/query?website_id=${websiteId}`, { apiKey, body });
    return (answer.body as { data: { data: unknown[] }[] }).data[0]?.data.length;
  };
  await expect.poll(rows).toBeGreaterThan(1);
  await recorder.call("query", {
    query,
    body: {
      preset: "last_7d",
      parameters: ["summary_metrics", "top_pages"],
      filters: [{ field: "country", op: "ne", value: "FR" }],
      limit: 10,
    },
  });
  await recorder.refusal("query", { body });
  await recorder.refusal("query", { query, body: { ...body, preset: "last_wek" } });
  await recorder.refusal("query", { query, body: { ...body, parameters: ["top_pagse"] } });
  const days = { startDate: "2026-03-01", endDate: "2026-03-31" };
  await recorder.call("compileQuery", {
    query,
    body: { type: "pages", from: "2026-03-01", to: "2026-03-31" },
  });
  await recorder.refusal("compileQuery", {
    query,
    body: { type: "pagse", from: "2026-03-01", to: "2026-03-31" },
  });
  await recorder.call("customQuery", {
    query,
    body: {
      startDate: new Date().toISOString().slice(0, 10),
      endDate: new Date().toISOString().slice(0, 10),
      query: {
        table: "events",
        groupBy: ["name"],
        selects: [{ aggregate: "count", alias: "events" }],
        orderBy: [{ field: "events", descending: true }],
      },
    },
  });
  await recorder.refusal("customQuery", { body: { ...days, query: { table: "events" } } });
  // The own server allows one in a minute.
  const simple = { ...days, query: { table: "events" } };
  await send("POST", `/v1/query/custom?website_id=${websiteId}`, { baseUrl, apiKey, body: simple });
  await recorder.refusal("customQuery", { baseUrl, query, body: simple });
  await recorder.call("listQueryTypes", { query: { include_meta: "true" } });
  await recorder.call("listQueryWebsites");
  const steps = [{ page: "/" }, { page: "/pricing" }, { event: "signup" }];
  await recorder.call("analyzeFunnel", { query, body: { preset: "last_7d", steps, window: "P1D" } });
  await recorder.call("analyzeGoals", {
    query,
    body: { preset: "last_7d", goals: [{ name: "paid", event: "order" }] },
  });
  await recorder.call("analyzeJourneys", { query, body: { preset: "last_7d", length: 3, limit: 5 } });
}
