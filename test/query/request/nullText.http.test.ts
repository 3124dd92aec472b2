import { beforeAll, expect, test, vi } from "vitest";
import { send } from "../../kit/calls/request.ts";
import { createWebsite, type TestWebsite } from "../../kit/calls/website.ts";

/** One of each spelling, another text, and twice nothing. */
const texts = ["null", "Null", "NULL", "Smith", undefined, undefined];

let website: TestWebsite;

beforeAll(async () => {
  website = await createWebsite();
  const body = texts.map((text, index) => ({
    ...{ name: text ?? "sent", path: "/", anonymousId: `v${index}`, sessionId: text ?? "s" },
    ...{ title: text, utm_campaign: text, properties: text && { family: text } },
  }));
  await call("/batch", body);
  await vi.waitFor(async () => expect(await countOf([])).toBe(texts.length), { timeout: 100_000, interval: 200 });
});

async function call(path: string, body: unknown): Promise<unknown> {
  const answer = await send("POST", `${path}?website_id=${website.websiteId}`, { apiKey: website.apiKey, body });
  expect(answer.body).not.toMatchObject({ success: false });
  return answer.body;
}

async function countOf(filters: readonly unknown[]): Promise<number> {
  const body = { preset: "last_7d", parameters: ["custom_events"], filters };
  const { data } = (await call("/v1/query", body)) as { data: [{ data: { total_events: number }[] }] };
  return data[0].data.reduce((sum, { total_events }) => sum + total_events, 0);
}

for (const field of ["title", "utm_campaign", "event_name", "session_id", "properties.family"])
  test.each([
    ["eq", "null", 1],
    ["eq", "Null", 1],
    ["eq", "NULL", 1],
    ["eq", "nuLl", 0],
    ["ne", "null", 5],
    ["ne", "nuLl", 6],
    ["in", ["Null"], 1],
    ["in", ["null", "NULL"], 2],
    ["not_in", ["null"], 5],
    ["not_in", ["null", "NULL"], 4],
    ["contains", "ull", 2],
    ["not_contains", "null", 5],
    ["starts_with", "Nu", 1],
  ])(`4.1: the word null is a text like any other: ${field} %s %j`, async (op, value, count) => {
    expect(await countOf([{ field, op, value }])).toBe(count);
  });

test("4.1: a step of a funnel is the event named null, and a goal too", async () => {
  const range = { preset: "last_7d" };
  const steps = [{ event: "null" }, { event: "Null" }];
  expect(await call("/v1/query/funnel", { ...range, steps })).toMatchObject({
    steps: [{ visitors: 1 }, { visitors: 0 }],
  });
  expect(await call("/v1/query/goals", { ...range, goals: [{ event: "Null" }] })).toMatchObject({
    goals: [{ total: { converted: 1 } }],
  });
});
