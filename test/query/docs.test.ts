import { expect, test } from "vitest";
import { runDocsLines } from "../kit/calls/docsLines.ts";
import { createWebsite } from "../kit/calls/website.ts";

test("the docs' commands about queries do what they say", async () => {
  const { websiteId, apiKey } = await createWebsite();
  const answers = await runDocsLines("docs/user/queries.md", undefined, { WEBSITE: websiteId, KEY: apiKey });
  const services = answers.splice(-2, 1);
  expect(services[0]).toContain("lookout.v1.QueryService");
  expect(answers.map((text) => JSON.parse(text))).toMatchObject([
    { success: true, data: [{ parameter: "summary_metrics" }, { parameter: "visitors" }, { parameter: "top_pages" }] },
    { types: expect.anything() },
    { success: true, data: [{ parameter: "summary_metrics", comparison: { complete: false } }, {}] },
    {
      success: true,
      data: [{ parameter: "utm_campaigns" }, { parameter: "entry_pages" }, { parameter: "goal_conversions" }],
    },
    { success: true, data: [{ parameter: "websites" }, { parameter: "websites_by_date" }, {}] },
    { websites: [{ id: websiteId }] },
    {
      success: true,
      data: [
        { parameter: "websites_today", data: [{ website_id: websiteId, visitors: null, usual_days: 0 }] },
        { parameter: "websites_now", data: [] },
        { parameter: "websites_uptime", data: [{ state: "none" }] },
        { parameter: "websites_trend", data: [{ website_id: websiteId }] },
      ],
    },
    {
      success: true,
      data: [{}, { parameter: "events_by_date" }, { parameter: "top_pages" }, { parameter: "utm_campaigns" }],
    },
    {
      success: true,
      data: [
        { parameter: "excluded_traffic", data: [] },
        { parameter: "ai_systems", data: [] },
      ],
    },
    { success: true, steps: [{ visitors: 0 }, {}, { name: "paid" }] },
    { success: true, goals: [{ name: "paid" }] },
    { success: true },
    { success: true, goals: [{ name: "signed_up" }, { name: "orders" }] },
    { success: true },
    { statements: expect.any(Array) },
    { single: expect.anything() },
  ]);
});
