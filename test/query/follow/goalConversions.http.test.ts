import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { beforeAll, describe, expect, inject, test, vi } from "vitest";
import { QueryService } from "../../../src/gen/lookout/v1/query_pb.ts";
import { send } from "../../kit/calls/request.ts";
import { createKey, createWebsite, type TestWebsite } from "../../kit/calls/website.ts";
import { noonDaysAgo } from "../../kit/stores/noonDaysAgo.ts";

type Visit = { readonly campaign?: string; readonly daysAgo?: number; readonly path?: string; readonly order?: object };

/** Each of a visitor of its own. */
const visits: readonly Visit[] = [
  { campaign: "spring", order: { amount: 20, currency: "EUR" } },
  { campaign: "spring", path: "/thanks/a" },
  { campaign: "spring" },
  { campaign: "autumn" },
  { campaign: "autumn", daysAgo: 2, order: { amount: 5, currency: "EUR" } },
  { order: { amount: 7, currency: "USD" } },
];

let website: TestWebsite;

beforeAll(async () => {
  website = await createWebsite({ publicAccess: true, firstEventOn: "2020-01-01" });
  const items = visits.flatMap(({ campaign, daysAgo = 1, path = "/", order }, index) => {
    const ids = { anonymousId: `v${index}`, sessionId: `s${index}`, timestamp: noonDaysAgo(daysAgo) };
    const view = { ...ids, name: "page_view", path, utm_campaign: campaign };
    return order === undefined
      ? [view]
      : [view, { ...ids, name: "order", properties: order, timestamp: ids.timestamp + 60_000 }];
  });
  const path = `/batch?website_id=${website.websiteId}`;
  const { body } = await send("POST", path, { apiKey: website.apiKey, body: items });
  expect(body).toMatchObject({ results: items.map(() => ({ status: "success" })) });
  await vi.waitFor(
    async () => expect((await rows({ parameters: ["summary_metrics"] }))[0]?.["total_events"]).toBe(items.length),
    { timeout: 100_000, interval: 300 },
  );
});

type Row = Readonly<Record<string, unknown>>;
type Result = { data: Row[]; success: boolean; error: string | null; comparison?: { data: Row[] } };

function post(query: object, { websiteId, apiKey }: Pick<TestWebsite, "websiteId"> & { apiKey?: string } = website) {
  const body = { preset: "last_7d", ...query };
  return send("POST", `/v1/query?website_id=${websiteId}`, { body, ...(apiKey === undefined ? {} : { apiKey }) });
}

async function ask(query: object, site = website): Promise<Result[]> {
  const { status, body } = await post(query, site);
  expect(status, JSON.stringify(body)).toBe(200);
  return (body as { data: Result[] }).data;
}

async function rows(query: object): Promise<Row[]> {
  return (await ask(query))[0]?.data ?? [];
}

const goal = { event: "order", value: { property: "amount", currencyProperty: "currency" } };

describe("4.1 a goal in a query", () => {
  test("adds conversions and their rate to breakdowns, and changes no other type", async () => {
    const parameters = ["utm_campaigns", "entry_pages", "sessions_by_device", "top_pages"];
    const [campaigns, entries, devices, pages] = await ask({ parameters, goal });
    const shown = (result: Result | undefined) =>
      result?.data.map((row) => [
        row["name"] ?? row["path"],
        row["visitors"],
        row["conversions"],
        row["conversion_rate"],
      ]);
    expect(shown(campaigns)).toEqual([
      ["spring", 3, 1, 33.33],
      ["autumn", 2, 1, 50],
    ]);
    expect(shown(entries)).toEqual([
      ["/", 5, 3, 60],
      ["/thanks/a", 1, 0, 0],
    ]);
    expect(shown(devices)?.map(([, ...figures]) => figures)).toEqual([[6, 3, 50]]);
    // Of the visitors of a page those whose visit reached the goal.
    expect(shown(pages)).toEqual([
      ["/", 5, 3, 60],
      ["/thanks/a", 1, 0, 0],
    ]);
    expect((await rows({ parameters: ["events_by_date"], goal }))[0]).not.toHaveProperty("conversions");
    expect((await rows({ parameters: ["utm_campaigns"] }))[0]).not.toHaveProperty("conversions");
  });

  test("is counted in the visits that filters select, and compared with another period", async () => {
    const filters = [{ field: "utm_campaign", op: "eq", value: "autumn" }];
    const day = (daysAgo: number) => new Date(noonDaysAgo(daysAgo)).toISOString().slice(0, 10);
    const range = { preset: undefined, startDate: day(1), endDate: day(1) };
    const parameters = ["utm_campaigns", "goal_conversions"];
    const [campaigns, goals] = await ask({ parameters, goal, filters, ...range, compare: "previous" });
    expect(campaigns).toMatchObject({
      data: [{ name: "autumn", visitors: 1, conversions: 0, conversion_rate: 0 }],
      comparison: { data: [{ name: "autumn", visitors: 1, conversions: 1, conversion_rate: 100 }] },
    });
    expect(goals).toMatchObject({
      data: [{ goal: "order", visitors: 1, conversions: 0, conversion_rate: 0, completions: 0, revenue: [] }],
      comparison: { data: [{ conversions: 1, revenue: [{ currency: "EUR", amount: 5, completions: 1 }] }] },
    });
  });

  test("goal_conversions is about it, in total and by a field of visits, with its revenue", async () => {
    const split = { name: "goal_conversions", split_by: "utm_campaign", limit: 2 };
    const [total, byCampaign] = await ask({ parameters: ["goal_conversions", split], goal });
    const euros = (amount: number) => [{ currency: "EUR", amount, completions: 1 }];
    expect(total?.data).toEqual([
      {
        ...{ goal: "order", value: "", visitors: 6, conversions: 3, conversion_rate: 50, completions: 3 },
        revenue: [
          { currency: "EUR", amount: 25, completions: 2 },
          { currency: "USD", amount: 7, completions: 1 },
        ],
      },
    ]);
    const figures = { goal: "order", conversions: 1, completions: 1 };
    expect(byCampaign?.data).toEqual([
      { ...figures, value: "spring", visitors: 3, conversion_rate: 33.33, revenue: euros(20) },
      { ...figures, value: "autumn", visitors: 2, conversion_rate: 50, revenue: euros(5) },
    ]);
  });

  test("without it goal_conversions is about the website's own goals", async () => {
    const own = await createWebsite();
    expect((await ask({ parameters: ["goal_conversions"] }, own))[0]?.data).toEqual([]);
    const { organizationId, websiteId } = website;
    const apiKey = await createKey({ organizationId, scopes: ["update"] });
    const goals = {
      goals: [
        { kind: "page", value: "/thanks*" },
        { kind: "event", value: "order", revenue: { property: "amount", currencyProperty: "currency" } },
        { kind: "event", value: "never" },
      ],
      funnel: [],
    };
    expect(await send("POST", "/websites/update", { apiKey, body: { id: websiteId, goals } })).toMatchObject({
      status: 200,
    });
    const found = await rows({ parameters: [{ name: "goal_conversions" }] });
    expect(found.map((row) => [row["goal"], row["visitors"], row["conversions"], row["conversion_rate"]])).toEqual([
      ["/thanks*", 6, 1, 16.67],
      ["order", 6, 3, 50],
      ["never", 6, 0, 0],
    ]);
    const { revenue } = found[1] as { revenue: { amount: number }[] };
    expect(revenue.map(({ amount }) => amount)).toEqual([25, 7]);
    const first = await rows({ parameters: [{ name: "goal_conversions", split_by: "utm_campaign" }], limit: 1 });
    expect(first).toMatchObject([{ goal: "/thanks*", value: "spring", conversions: 1 }]);
  });

  test("where nobody visited, rates are null", async () => {
    const filters = [{ field: "country", op: "eq", value: "none" }];
    expect(await rows({ parameters: ["goal_conversions"], goal, filters })).toMatchObject([
      { visitors: 0, conversions: 0, conversion_rate: null },
    ]);
  });

  test("works over gRPC too", async () => {
    const transport = createGrpcTransport({ baseUrl: inject("lookout").baseUrl });
    const { single } = await createClient(QueryService, transport).query(
      {
        websiteId: website.websiteId,
        query: {
          preset: "last_7d",
          goal: { action: { case: "event", value: "order" } },
          parameters: [{ name: "utm_campaigns" }, { name: "goal_conversions", splitBy: "utm_campaign" }],
        },
      },
      { headers: { "x-api-key": website.apiKey } },
    );
    expect(single?.data.map(({ data }) => data[0])).toMatchObject([
      { name: "spring", conversions: 1, conversion_rate: 33.33 },
      { value: "spring", conversions: 1, conversion_rate: 33.33, revenue: [] },
    ]);
  });

  test("7: mistakes are named, with a suggestion if one is near", async () => {
    const wrong = [
      [
        { parameters: [{ name: "goal_conversions", split_by: "utm_campain" }], goal },
        "parameters[0].split_by",
        "utm_campaign",
      ],
      [{ parameters: [{ name: "goal_conversions", split_by: "path" }], goal }, "parameters[0].split_by", undefined],
      [{ parameters: [{ name: "countries", split_by: "country" }] }, "parameters[0].split_by", undefined],
      [
        { parameters: ["countries"], goal: { event: "order", value: { property: "a]." } } },
        "goal.value.property",
        undefined,
      ],
      [
        { parameters: ["countries"], goal: { event: "o", filters: [{ field: "contry", op: "eq", value: 1 }] } },
        "goal.filters[0].field",
        "country",
      ],
      [{ parameters: ["countries"], goal: {} }, "goal", undefined],
    ] as const;
    for (const [query, field, suggestion] of wrong) {
      const { status, body } = await post(query);
      const { details } = body as { details: { field: string; suggestion?: string }[] };
      expect([status, details[0]?.field.startsWith(field), details[0]?.suggestion], JSON.stringify(body)).toEqual([
        400,
        true,
        suggestion,
      ]);
    }
    const compile = { type: "goal_conversions", from: "2026-03-01", to: "2026-03-31" };
    expect(
      await send("POST", `/v1/query/compile?website_id=${website.websiteId}`, {
        apiKey: website.apiKey,
        body: compile,
      }),
    ).toMatchObject({ status: 400, body: { code: "COMPILATION_ERROR", details: [{ field: "type" }] } });
  });

  test("5: a public website answers goals to nobody without a key", async () => {
    const { websiteId } = website;
    for (const query of [{ parameters: ["utm_campaigns"], goal }, { parameters: ["goal_conversions"] }])
      expect(await post(query, { websiteId })).toMatchObject({ status: 401, body: { code: "AUTH_REQUIRED" } });
    expect(await post({ parameters: ["utm_campaigns"] }, { websiteId })).toMatchObject({ status: 200 });
  });
});
