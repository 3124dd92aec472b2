import { beforeAll, describe, expect, test, vi } from "vitest";
import { send } from "../../kit/calls/request.ts";
import { createWebsite, type TestWebsite } from "../../kit/calls/website.ts";
import { noonDaysAgo } from "../../kit/stores/noonDaysAgo.ts";

const day = (daysAgo: number) => new Date(noonDaysAgo(daysAgo)).toISOString().slice(0, 10);

let website: TestWebsite;

/** One visit of yesterday, before which nothing is known. */
beforeAll(async () => {
  website = await createWebsite({ publicAccess: true });
  const ids = { anonymousId: "ann", sessionId: "s1" };
  const place = { country: "FR", device_type: "desktop" };
  const items = [
    { ...ids, name: "page_view", path: "/", timestamp: noonDaysAgo(1), utm_campaign: "spring", ...place },
    { ...ids, name: "signup", timestamp: noonDaysAgo(1) + 60_000, properties: { plan: "pro" } },
  ];
  await send("POST", `/batch?website_id=${website.websiteId}`, { apiKey: website.apiKey, body: items });
  await vi.waitFor(
    async () => expect((await query({ parameters: ["summary_metrics"] })).data[0]?.data[0]?.["total_events"]).toBe(2),
    { timeout: 100_000, interval: 300 },
  );
});

type Hint = { readonly field: string; readonly message: string; readonly suggestion?: string };
type Result = { readonly data: Readonly<Record<string, unknown>>[]; readonly error: string | null };

async function ask(path: string, body: object, apiKey: string | undefined = website.apiKey) {
  const key = apiKey === "" ? {} : { apiKey };
  const answer = await send("POST", `/v1/query${path}?website_id=${website.websiteId}`, { body, ...key });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
}

async function query(more: object, apiKey?: string) {
  const body = { startDate: day(3), endDate: day(1), parameters: ["summary_metrics"], ...more };
  return (await ask("", body, apiKey)) as { data: Result[]; meta: { hints: Hint[] } };
}

const shown = (hints: readonly Hint[]) => hints.map(({ field, suggestion }) => [field, suggestion]);

describe("4.1 hints", () => {
  test("name events and properties that the website does not send, with the nearest that it does", async () => {
    const filter = (field: string, value: unknown, op = "eq") => ({ field, op, value });
    const of = async (...filters: object[]) => shown((await query({ filters })).meta.hints);
    expect(await of(filter("event_name", "singup"))).toEqual([["filters[0].value", "signup"]]);
    expect(await of(filter("path", "/"), filter("event_name", ["signup", "sign_up"], "in"))).toEqual([
      ["filters[1].value", "signup"],
    ]);
    expect(await of(filter("properties.plann", "pro"))).toEqual([["filters[0].field", "plan"]]);
    expect(await of(filter("event_name", "signup"), filter("properties.plan", "free"))).toEqual([]);
    expect(await of(filter("event_name", "sing", "contains"), filter("event_name", "x", "ne"))).toEqual([]);
  });

  test("name goals as well", async () => {
    const goal = { event: "singup", value: { property: "amonut" } };
    expect(shown((await query({ goal })).meta.hints)).toEqual([
      ["goal.event", "signup"],
      ["goal.value.property", undefined],
    ]);
    const goals = [{ event: "signup" }, { event: "singup" }];
    const { hints } = (await ask("/goals", { preset: "last_7d", goals })) as { hints: Hint[] };
    expect(shown(hints)).toEqual([["goals[1].event", "signup"]]);
    expect(hints[0]?.message).toContain('did you mean "signup"?');
  });

  test("name pages of goals, and what the website sent where no name is near", async () => {
    const goals = [
      { page: "/" },
      { page: "/thanks" },
      { page: { path: "/th", op: "starts_with" } },
      { event: "order" },
    ];
    const { hints } = (await ask("/goals", { preset: "last_7d", goals })) as { hints: Hint[] };
    expect(hints.map(({ field, message }) => [field, message.split("; ")[1]])).toEqual([
      ["goals[1].page.path", 'it sent "/"'],
      ["goals[3].event", 'it sent "signup"'],
    ]);
  });

  test("say what a split by a field of events does not answer, and that a preset is used instead of dates", async () => {
    const body = { preset: "last_7d", goals: [{ event: "signup" }], splitBy: "path" };
    const { hints } = (await ask("/goals", body)) as { hints: Hint[] };
    expect(hints).toMatchObject([{ field: "splitBy", message: expect.stringContaining("top_pages") }]);
    expect(shown((await query({ preset: "last_7d" })).meta.hints)).toEqual([["preset", undefined]]);
  });

  test("say what an attribution misses", async () => {
    const attribution = "last_non_direct";
    const parameters = [{ name: "goal_conversions", split_by: "utm_campaign", attribution }];
    const { meta, data } = await query({ parameters, goal: { event: "signup" } });
    expect(meta.hints).toMatchObject([
      { field: "parameters[0].attribution", message: expect.stringContaining("a day") },
    ]);
    expect(data[0]?.data).toMatchObject([{ value: "spring", conversions: 1 }]);
    const body = { preset: "last_7d", goals: [{ event: "signup" }], splitBy: "utm_campaign", attribution };
    expect(await ask("/goals", body)).toMatchObject({
      goals: [{ splits: [{ value: "spring", figures: { converted: 1 } }] }],
      hints: [{ field: "attribution" }],
    });
    const wrong = { ...body, splitBy: "country" };
    const path = `/v1/query/goals?website_id=${website.websiteId}`;
    expect(await send("POST", path, { body: wrong, apiKey: website.apiKey })).toMatchObject({
      status: 400,
      body: { details: [{ field: "attribution" }] },
    });
  });

  test("name values of filters that nothing has, where the answer is empty", async () => {
    const filter = (field: string, value: unknown, op = "eq") => ({ field, op, value });
    const of = async (...filters: object[]) => shown((await query({ filters })).meta.hints);
    expect(await of(filter("utm_campaign", "sprng"))).toEqual([["filters[0].value", "spring"]]);
    expect(await of(filter("utm_campaign", ["spring", "sprng"], "in"))).toEqual([]);
    expect(await of(filter("utm_campaign", "spring"), filter("entry_page", "/shop"))).toEqual([
      ["filters[1].value", undefined],
    ]);
    expect(await of(filter("country", "Germany"))).toEqual([["filters[0].value", "DE"]]);
    expect(await of(filter("device_type", "phone"))).toEqual([["filters[0].value", "mobile"]]);
    expect(await of(filter("utm_campaign", "sprng", "ne"))).toEqual([]);
    const filters = [filter("utm_campaign", "sprng")];
    expect((await query({ filters }, "")).meta.hints).toEqual([]);
  });

  test("name values and steps that nothing has for goals and funnels", async () => {
    const filters = [{ field: "country", op: "eq", value: "Germany" }];
    const { hints } = (await ask("/goals", { preset: "last_7d", goals: [{ event: "signup" }], filters })) as {
      hints: Hint[];
    };
    expect(shown(hints)).toEqual([["filters[0].value", "DE"]]);
    const steps = [{ page: "/" }, { event: "singup" }];
    const funnel = (await ask("/funnel", { preset: "last_7d", steps })) as { hints: Hint[] };
    expect(shown(funnel.hints)).toEqual([["steps[1].event", "signup"]]);
    const filtered = (await ask("/funnel", {
      preset: "last_7d",
      steps: [{ page: "/" }, { event: "signup" }],
      filters,
    })) as {
      hints: Hint[];
    };
    expect(shown(filtered.hints)).toEqual([["filters[0].value", "DE"]]);
  });

  test("5: show no names to callers without a key", async () => {
    const filters = [{ field: "event_name", op: "eq", value: "singup" }];
    expect((await query({ filters }, "")).meta.hints).toEqual([]);
  });
});

test("4.1 a filter on a field that a type lacks is answered with the nearest one", async () => {
  const filters = [{ field: "utm_campain", op: "eq", value: "x" }];
  expect((await query({ filters })).data[0]?.error).toContain('Did you mean "utm_campaign"?');
});

describe("4.1 first and returning visits", () => {
  test("are a field of visits and a breakdown", async () => {
    const parameters = ["visitor_types", { name: "summary_metrics" }];
    const filters = [{ field: "visitor_type", op: "eq", value: "first" }];
    const { data } = await query({ parameters, filters });
    expect(data[0]?.data).toMatchObject([{ name: "first", visitors: 1, sessions: 1 }]);
    expect(data[1]?.data).toMatchObject([{ sessions: 1 }]);
    const none = await query({ filters: [{ field: "visitor_type", op: "eq", value: "returning" }] });
    expect(none.data[0]?.data).toMatchObject([{ sessions: 0 }]);
  });

  test("can be asked of goals and steps", async () => {
    const step = (value: string) => ({ event: "signup", filters: [{ field: "visitor_type", op: "eq", value }] });
    const body = { preset: "last_7d", goals: [step("first"), step("returning")] };
    expect(await ask("/goals", body)).toMatchObject({
      goals: [{ total: { converted: 1 } }, { total: { converted: 0 } }],
    });
  });
});

describe("unknown times are null, not 0", () => {
  const goals = [{ event: "signup" }];

  test("in goals, by bucket and in total", async () => {
    const range = { startDate: day(3), endDate: day(1) };
    expect(await ask("/goals", { ...range, goals, granularity: "daily" })).toMatchObject({
      goals: [
        {
          total: { visitors: 1, converted: 1 },
          series: [
            { date: day(3), figures: null },
            { date: day(2), figures: null },
            { date: day(1), figures: { visitors: 1, converted: 1 } },
          ],
        },
      ],
      unknown: [{ from: `${day(3)}T00:00:00.000Z`, until: `${day(1)}T00:00:00.000Z`, reason: "not_started" }],
    });
    const before = { startDate: day(5), endDate: day(3) };
    expect(await ask("/goals", { ...before, goals })).toMatchObject({ goals: [{ total: null }] });
    const { data } = await query({ ...before, parameters: ["goal_conversions"], goal: { event: "signup" } });
    expect(data[0]?.data).toMatchObject([{ goal: "signup", visitors: null, conversions: null, conversion_rate: null }]);
  });

  test("in split series and in retention", async () => {
    const { data } = await query({ parameters: ["custom_events_trends_by_event", "retention_rate"] });
    const [split, retention] = data.map((result) => result.data);
    expect(split?.map(Object.values).map((values) => values.slice(2))).toEqual([
      split?.[0] === undefined
        ? []
        : Object.values(split[0])
            .slice(2)
            .map(() => null),
      split?.[1] === undefined
        ? []
        : Object.values(split[1])
            .slice(2)
            .map(() => null),
      expect.arrayContaining([1]),
    ]);
    expect(retention).toMatchObject([
      { date: day(3), new_users: null, returning_users: null, retention_rate: null },
      { date: day(2), new_users: null },
      { date: day(1), new_users: 1, returning_users: 0, retention_rate: 0 },
    ]);
  });
});
