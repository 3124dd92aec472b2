import { beforeAll, expect, test, vi } from "vitest";
import { send } from "../../kit/calls/request.ts";
import { createKey, createWebsite, type TestWebsite } from "../../kit/calls/website.ts";

type Row = Record<string, unknown>;

let first: TestWebsite;
let second: string;
let third: string;

const views = (visitor: string, paths: readonly string[]) =>
  paths.map((path) => ({ name: "page_view", path, anonymousId: visitor, sessionId: visitor }));

async function addWebsite(name: string): Promise<string> {
  const body = { name, domain: `${name}.example` };
  const answer = await send("POST", "/websites/create", { apiKey: first.apiKey, body });
  expect(answer.status).toBe(200);
  return (answer.body as { id: string }).id;
}

async function post(websiteId: string, body: object[]): Promise<void> {
  expect((await send("POST", `/batch?website_id=${websiteId}`, { body })).status).toBe(200);
}

const namedBy = (ids: readonly string[]) => ids.map((id) => `website_ids=${id}`).join("&");

async function ask(address: string, query: object, apiKey: string | undefined = first.apiKey) {
  const answer = await send("POST", `/v1/query?${address}`, { ...(apiKey ? { apiKey } : {}), body: query });
  return { status: answer.status, body: answer.body as { code?: string; data: { data: Row[]; error?: string }[] } };
}

async function rows(address: string, parameter: string | object): Promise<Row[]> {
  const { status, body } = await ask(address, { preset: "today", parameters: [parameter] });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data[0]?.data ?? [];
}

beforeAll(async () => {
  first = await createWebsite();
  second = await addWebsite("second");
  third = await addWebsite("third");
  await post(first.websiteId, [...views("ada", ["/", "/a"]), { name: "signup", anonymousId: "ada", sessionId: "ada" }]);
  await post(second, [...views("ada", ["/"]), ...views("bob", ["/", "/b"])]);
  await post(third, [
    ...views("eve", ["/"]),
    // A visit of nothing but a click on a link.
    { type: "outgoing_link", href: "https://partner.example/", anonymousId: "joe", sessionId: "joe" },
  ]);
  const seen = async () => (await rows(`organization_id=${first.organizationId}`, "summary_metrics"))[0]?.["pageviews"];
  await vi.waitFor(async () => expect(await seen()).toBe(6), { timeout: 100_000, interval: 200 });
});

test("4.1 website_ids answers sums over several websites, whose visitors are different ones", async () => {
  const [sum] = await rows(namedBy([first.websiteId, second]), "summary_metrics");
  expect(sum).toMatchObject({ pageviews: 5, unique_visitors: 3, sessions: 3 });
  expect(await rows(namedBy([second.toUpperCase(), second]), "summary_metrics")).toEqual(
    await rows(`website_id=${second}`, "summary_metrics"),
  );
});

test("4.1 the type websites has a row of each website, with the figures that it has alone", async () => {
  const all = [first.websiteId, second, third];
  const found = await rows(namedBy(all), "websites");
  expect(found.map((row) => row["website_id"]).sort()).toEqual(all.toSorted());
  for (const id of all) {
    const [alone] = await rows(`website_id=${id}`, "summary_metrics");
    expect(found.find((row) => row["website_id"] === id)).toMatchObject({
      pageviews: alone?.["pageviews"],
      visitors: alone?.["unique_visitors"],
      sessions: alone?.["sessions"],
      total_events: alone?.["total_events"],
    });
  }
  const [most] = found;
  expect(most).toMatchObject({ website_id: second, pageviews: 3, visitors: 2, percentage: 50 });
  expect(await rows(namedBy([first.websiteId, second]), "websites")).toHaveLength(2);
});

test("4.1 websites_now has the visitors of the last five minutes of each website", async () => {
  const found = await rows(namedBy([first.websiteId, second]), "websites_now");
  expect(found).toMatchObject([
    { website_id: second, active_users: 2 },
    { website_id: first.websiteId, active_users: 1 },
  ]);
});

test("4.1 series are split by website, and a filter on website_id chooses some of them", async () => {
  const found = await rows(namedBy([first.websiteId, second, third]), "websites_by_date");
  const of = (id: string) => found.find((row) => row["website_id"] === id);
  expect(found).toHaveLength(3);
  expect([of(first.websiteId), of(second), of(third)]).toMatchObject([
    { pageviews: 2, visitors: 1 },
    { pageviews: 3, visitors: 2 },
    { pageviews: 1, visitors: 2 },
  ]);
  const { body } = await ask(`organization_id=${first.organizationId}`, {
    preset: "today",
    parameters: ["summary_metrics"],
    filters: [{ field: "website_id", op: "ne", value: second }],
  });
  expect(body.data[0]?.data[0]).toMatchObject({ pageviews: 3, unique_visitors: 3 });
});

test("4.1 a comparison has the row of each website in both periods", async () => {
  const { body } = await ask(namedBy([first.websiteId, second]), {
    preset: "today",
    parameters: ["websites"],
    compare: "previous",
  });
  expect(body.data[0]).toMatchObject({
    data: [{ website_id: second }, { website_id: first.websiteId }],
    // Nothing is known of the days before the first event.
    comparison: { data: [{ pageviews: null }, { pageviews: null }] },
  });
});

const dayMs = 86_400_000;

/** Views of some visitors on the day of now, days ago, one minute before this time of day, or as long after it. */
const viewsAgo = (days: number, visitors: number, minutesLater = -1) =>
  Array.from({ length: visitors }, (_, index) => ({
    name: "page_view",
    path: "/",
    timestamp: Date.now() - days * dayMs + minutesLater * 60_000,
    anonymousId: `${days} ${index}`,
    sessionId: `${days} ${minutesLater} ${index}`,
  }));

test("4.1 websites_today has the visitors of each website beside the median, fewest and most of the same weekday until this time of day", async () => {
  const owner = await createWebsite();
  // At this time of day a minute before and after now are on the same day.
  const timezone = ["UTC", "Asia/Tokyo"].find((zone) => {
    const minute = new Intl.DateTimeFormat("en", { hour: "numeric", hourCycle: "h23", timeZone: zone }).format(
      Date.now(),
    );
    return !["0", "00", "23"].includes(minute);
  });
  const add = async (name: string) => {
    const body = { name, domain: `${name}.example`, timezone };
    return ((await send("POST", "/websites/create", { apiKey: owner.apiKey, body })).body as { id: string }).id;
  };
  const [old, young, silent] = [await add("old"), await add("young"), await add("silent")];
  await post(old, [
    ...viewsAgo(0, 3),
    ...[7, 14, 21, 28].flatMap((days, index) => [
      ...viewsAgo(days, [1, 2, 5, 9][index] ?? 0),
      // Later on that day, so these are not counted.
      ...viewsAgo(days, 20, 1),
    ]),
  ]);
  await post(young, [...viewsAgo(0, 1), ...viewsAgo(8, 1), ...viewsAgo(7, 2)]);
  const all = `organization_id=${owner.organizationId}`;
  const read = async (parameter: string, key: string | undefined = owner.apiKey, address = all) => {
    const { body } = await ask(address, { preset: "today", parameters: [parameter] }, key);
    return body.data[0]?.data ?? [];
  };
  await vi.waitFor(
    async () => {
      const found = await read("websites_today");
      expect(found.find((row) => row["website_id"] === old)).toMatchObject({ visitors: 3 });
      expect(found.find((row) => row["website_id"] === young)).toMatchObject({ visitors: 1, usual_days: 1 });
    },
    { timeout: 100_000, interval: 200 },
  );
  const found = await read("websites_today");
  expect(found.map((row) => row["website_id"])).toEqual([old, young, ...[owner.websiteId, silent].sort()]);
  expect(found).toMatchObject([
    // Of 1, 2, 5 and 9.
    {
      website_id: old,
      visitors: 3,
      sessions: 3,
      ...{ usual_visitors: 3.5, usual_lowest: 1, usual_highest: 9, usual_days: 4 },
    },
    // Weeks before its first event are unknown, and not 0.
    { website_id: young, visitors: 1, sessions: 1, usual_visitors: 2, usual_days: 1 },
    {
      visitors: null,
      sessions: null,
      usual_visitors: null,
      usual_lowest: null,
      usual_highest: null,
      usual_days: 0,
      since: null,
    },
    { visitors: null, usual_visitors: null },
  ]);
  const trend = await read("websites_trend");
  const days = (id: string) => trend.find((row) => row["website_id"] === id)?.["visitors_by_day"] as (number | null)[];
  expect(days(old)).toHaveLength(28);
  // Some of them came twice on that day.
  expect(days(old).at(-7)).toBe(20);
  expect(days(old).at(-1)).toBe(0);
  expect([days(young).at(-7), days(young).at(-8), days(young).at(-9)]).toEqual([2, 1, null]);
  expect(days(silent).every((day) => day === null)).toBe(true);
  expect(await read("websites_today", owner.apiKey, `website_id=${young}`)).toEqual([found[1]]);
  const limited = await createKey({ organizationId: owner.organizationId, websiteIds: [old, silent] });
  for (const parameter of ["websites_today", "websites_trend", "websites_uptime"])
    expect((await read(parameter, limited)).map((row) => row["website_id"]).sort()).toEqual([old, silent].sort());
  const filters = [{ field: "website_id", op: "ne", value: old }];
  const { body } = await ask(all, { preset: "today", parameters: ["websites_today"], filters }, owner.apiKey);
  expect(body.data[0]?.data).toEqual(found.slice(1));
});

test("7 a key sees the websites of its own organization only, and those that it is limited to", async () => {
  const other = await createWebsite();
  const limited = await createKey({ organizationId: first.organizationId, websiteIds: [second, third] });
  const types = ["websites", "websites_now", "websites_today", "websites_trend", "websites_uptime", "websites_by_date"];
  const seen = async (organizationId: string, key: string) => {
    const { status, body } = await ask(
      `organization_id=${organizationId}`,
      { preset: "today", parameters: types },
      key,
    );
    expect(status).toBe(200);
    return types.map((type, index) => {
      const answer = body.data[index];
      expect([type, answer?.error ?? null]).toEqual([type, null]);
      return [...new Set(answer?.data.map((row) => row["website_id"]))].sort();
    });
  };
  const all = [first.websiteId, second, third].sort();
  expect(await seen(first.organizationId, first.apiKey)).toEqual(types.map(() => all));
  expect(await seen(first.organizationId, limited)).toEqual(types.map(() => [second, third].sort()));
  const query = { preset: "today", parameters: types };
  expect(await ask(`organization_id=${first.organizationId}`, query, other.apiKey)).toMatchObject({ status: 403 });
  const theirs = await seen(other.organizationId, other.apiKey);
  expect(theirs.flat().filter((id) => id !== other.websiteId)).toEqual([]);
});

test("7 a website that the caller may not read is denied, whether it exists or not", async () => {
  const other = await createWebsite();
  const query = { preset: "today", parameters: ["summary_metrics"] };
  const limited = await createKey({ organizationId: first.organizationId, websiteIds: [second] });
  const ids = [first.websiteId, second];
  for (const [address, key] of [
    [namedBy([...ids, other.websiteId]), first.apiKey],
    [namedBy([...ids, crypto.randomUUID()]), first.apiKey],
    [namedBy(ids), limited],
    [namedBy([second]), other.apiKey],
  ] as const)
    expect(await ask(address, query, key)).toMatchObject({ status: 403, body: { code: "ACCESS_DENIED" } });
  expect(await ask(namedBy([second]), query, limited)).toMatchObject({ status: 200 });
  expect(await send("POST", `/v1/query?${namedBy(ids)}`, { body: query })).toMatchObject({ status: 401 });
});
