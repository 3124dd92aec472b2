import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { send } from "../kit/calls/request.ts";
import { createWebsite, type TestWebsite } from "../kit/calls/website.ts";
import { noonDaysAgo } from "../kit/stores/noonDaysAgo.ts";
import { type Assistant, connectAssistant } from "./mcpClient.ts";

const minuteMs = 60_000;
/** The outage was on a day that is over, from noon on, and there are events on the same weekday of as many weeks before as named here. */
const outageDay = 2;
const ordersBefore = [3, 7, 6, 5];

let website: TestWebsite;
let assistant: Assistant;

beforeAll(async () => {
  website = await createWebsite();
  assistant = await connectAssistant(website.apiKey);
  const order = (days: number, visitor: number) => ({
    name: "order",
    path: "/checkout",
    timestamp: noonDaysAgo(days) + 5 * minuteMs,
    anonymousId: `${days} ${visitor}`,
    sessionId: `${days} ${visitor}`,
  });
  const ordersOn = (days: number, count: number) => Array.from({ length: count }, (_, index) => order(days, index));
  const events = [
    ...ordersOn(outageDay, 3),
    ...ordersBefore.flatMap((count, weeks) => ordersOn(outageDay + 7 * (weeks + 1), count)),
    // So that the weeks before are known.
    ...ordersOn(outageDay + 36, 1),
  ];
  const { body } = await send("POST", `/batch?website_id=${website.websiteId}`, {
    apiKey: website.apiKey,
    body: events,
  });
  expect(body).toMatchObject({ status: "success" });
  await vi.waitFor(
    async () => expect(await costOf({ compare: "weekdays" })).toMatchObject({ goals: [{ total: { converted: 3 } }] }),
    { timeout: 100_000, interval: 200 },
  );
});
afterAll(() => assistant?.client.close());

async function costOf(given: object): Promise<Record<string, unknown>> {
  const startMs = noonDaysAgo(outageDay);
  const { content, failure } = await assistant.use("goals", {
    websiteId: website.websiteId,
    goals: [{ name: "Order", event: "order" }],
    startDate: new Date(startMs).toISOString(),
    endDate: new Date(startMs + 45 * minuteMs).toISOString(),
    ...given,
  });
  return failure === "" ? content : { failure };
}

test("what an outage cost is told by the median of four weeks, with the fewest and the most", async () => {
  const spread = { median: 5.5, lowest: 3, highest: 7 };
  expect(await costOf({ compare: "usual" })).toMatchObject({
    goals: [{ name: "Order", total: { converted: 3 } }],
    usual: { weeks: 4, goals: [{ name: "Order", visitors: spread, converted: spread }] },
    hints: [],
  });
});

test("figures that are too small to compare are named", async () => {
  expect(await costOf({ compare: "weekdays" })).toMatchObject({
    hints: [{ field: "compare", message: "3 and 3 visitors reached Order: too few to tell a difference" }],
  });
});

test("what is usual is not told of fewer than three known weeks, nor for more than a week", async () => {
  const startDate = new Date(noonDaysAgo(outageDay + 21)).toISOString();
  const endDate = new Date(noonDaysAgo(outageDay + 21) + 45 * minuteMs).toISOString();
  expect(await costOf({ compare: "usual", startDate, endDate })).toMatchObject({
    goals: [{ total: { converted: 6 } }],
    usual: { goals: null },
    hints: [{ field: "compare", message: expect.stringContaining("fewer than 3 earlier weeks") }],
  });
  const { failure } = await costOf({ compare: "usual", startDate: "2026-01-01", endDate: "2026-01-08" });
  expect(failure).toContain("at most 7 days");
});
