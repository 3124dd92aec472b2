import { beforeAll, describe, expect, test, vi } from "vitest";
import { send } from "../../kit/calls/request.ts";
import { createWebsite, type TestWebsite } from "../../kit/calls/website.ts";
import { noonDaysAgo } from "../../kit/stores/noonDaysAgo.ts";

type Order = { readonly campaign?: string; readonly daysAgo?: number; readonly properties: object };

/** Each of a visitor of its own, whose first page view names the campaign. */
const orders: readonly Order[] = [
  { campaign: "spring", properties: { amount: 19.99, currency: "eur" } },
  { campaign: "spring", properties: { amount: "30.01", currency: "EUR" } },
  { campaign: "spring", daysAgo: 2, properties: { amount: 7, currency: "usd" } },
  { campaign: "autumn", properties: { amount: -5, currency: "EUR" } },
  { campaign: "autumn", properties: { amount: 0.1, currency: "EUR" } },
  { campaign: "autumn", properties: { amount: 0.2, currency: "EUR" } },
  { properties: { amount: 3 } },
  { properties: { amount: 2, currency: null } },
  { properties: { amount: "much", currency: "EUR" } },
  { properties: { amount: null, currency: "EUR" } },
  { properties: { currency: "EUR" } },
];

let website: TestWebsite;

beforeAll(async () => {
  website = await createWebsite({ firstEventOn: "2020-01-01" });
  const items = orders.flatMap(({ campaign, daysAgo = 1, properties }, index) => {
    const ids = { anonymousId: `v${index}`, sessionId: `s${index}` };
    const tsMs = noonDaysAgo(daysAgo);
    return [
      { ...ids, name: "page_view", path: "/", timestamp: tsMs, utm_campaign: campaign },
      { ...ids, name: "order", path: "/thanks", timestamp: tsMs + 60_000, properties },
    ];
  });
  // No visitor: it counts with its own values.
  items.push({ name: "order", timestamp: noonDaysAgo(1), properties: { amount: 100, currency: "CHF" } } as never);
  const path = `/batch?website_id=${website.websiteId}`;
  const { body } = await send("POST", path, { apiKey: website.apiKey, body: items });
  expect(body).toMatchObject({ results: items.map(() => ({ status: "success" })) });
  await vi.waitFor(async () => expect((await ask({})).total.completions).toBe(orders.length + 1), {
    timeout: 100_000,
    interval: 200,
  });
});

type Revenue = readonly { currency: string; amount: number; completions: number }[];
type Figures = { converted: number; completions: number; revenue: Revenue };
type Goal = {
  total: Figures;
  splits: readonly { value: string; figures: Figures }[];
  series: readonly { date: string; figures: Figures }[];
};

const value = { property: "amount", currencyProperty: "currency" };

async function post(more: object) {
  const body = { preset: "last_7d", goals: [{ event: "order" }], ...more };
  return send("POST", `/v1/query/goals?website_id=${website.websiteId}`, { apiKey: website.apiKey, body });
}

async function ask(more: object): Promise<Goal> {
  const { status, body } = await post(more);
  expect(status, JSON.stringify(body)).toBe(200);
  const { goals } = body as { goals: readonly [Goal] };
  return goals[0];
}

const texts = (revenue: Revenue) => revenue.map((one) => `${one.amount} ${one.currency} of ${one.completions}`);

describe("revenue of goals", () => {
  test("is none unless it is asked", async () => {
    expect((await ask({ splitBy: "utm_campaign" })).total.revenue).toEqual([]);
  });

  test("is summed for each currency; what is missing or no number has none", async () => {
    const { total } = await ask({ value });
    expect(total).toMatchObject({ completions: 12, converted: 11 });
    expect(texts(total.revenue)).toEqual(["100 CHF of 1", "45.3 EUR of 5", "7 USD of 1", "5  of 2"]);
    expect(texts((await ask({ value: { property: "amount" } })).total.revenue)).toEqual(["157.3  of 9"]);
    expect(texts((await ask({ value: { property: "nothing" } })).total.revenue)).toEqual([]);
  });

  test("belongs to the campaign of the visit, to the bucket in which the visit began, and to selected visits only", async () => {
    const { splits, series } = await ask({ value, splitBy: "utm_campaign", granularity: "daily" });
    const bySplit = Object.fromEntries(splits.map((split) => [split.value, texts(split.figures.revenue)]));
    expect(bySplit).toMatchObject({ spring: ["50 EUR of 2", "7 USD of 1"], autumn: ["-4.7 EUR of 3"] });
    expect(series.map(({ figures }) => texts(figures.revenue)).filter((all) => all.length > 0)).toEqual([
      ["7 USD of 1"],
      ["100 CHF of 1", "45.3 EUR of 5", "5  of 2"],
    ]);
    const filters = [{ field: "utm_campaign", op: "eq", value: "spring" }];
    expect(texts((await ask({ value, filters })).total.revenue)).toEqual(["50 EUR of 2", "7 USD of 1"]);
  });

  test("and all other figures can be compared with another period, value by value", async () => {
    const day = (daysAgo: number) => new Date(noonDaysAgo(daysAgo)).toISOString().slice(0, 10);
    const range = { preset: undefined, startDate: day(1), endDate: day(1) };
    const question = { ...range, value, splitBy: "utm_campaign", granularity: "daily" };
    const { status, body } = await post({ ...question, compare: "previous" });
    expect(status).toBe(200);
    const { goals, comparison } = body as { goals: Goal[]; comparison: { complete: boolean; goals: Goal[] } };
    const before = await ask({ ...question, startDate: day(2), endDate: day(2) });
    const [compared] = comparison.goals;
    expect(comparison).toMatchObject({ complete: true, until: `${day(1)}T00:00:00.000Z` });
    expect(compared?.total).toEqual(before.total);
    expect(compared?.series).toEqual(before.series);
    expect(compared?.splits.map((split) => split.value)).toEqual(goals[0]?.splits.map((split) => split.value));
    const spring = (goal: Goal | undefined) => goal?.splits.find((split) => split.value === "spring")?.figures;
    expect(texts(spring(goals[0])?.revenue ?? [])).toEqual(["50 EUR of 2"]);
    expect(spring(compared)).toEqual(spring(before));
    expect(compared?.splits.find((split) => split.value === "autumn")?.figures).toMatchObject({
      converted: 0,
      revenue: [],
    });
    expect((await post({ ...question, compare: "last" })).body).toMatchObject({
      details: [{ field: "compare.period" }],
    });
  });

  test("of several goals is that of each one's own events", async () => {
    const goals = [
      { event: "order" },
      { event: "order", filters: [{ field: "properties.currency", op: "eq", value: "usd" }] },
      { page: "/" },
    ];
    const { body } = await post({ goals, value });
    const found = (body as { goals: readonly Goal[] }).goals.map(({ total }) => texts(total.revenue).length);
    expect(found).toEqual([4, 1, 0]);
  });

  test.each([
    ["value.property", { property: "" }],
    ["value.property", { property: "a\u0000" }],
    ["value.currencyProperty", { property: "amount", currencyProperty: "a].b" }],
  ])("7: a wrong %s is named", async (field, wrong) => {
    const { status, body } = await post({ value: wrong });
    expect(status).toBe(400);
    expect(body).toMatchObject({ details: [{ field }] });
  });
});
