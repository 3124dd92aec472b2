import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { handlers } from "../../src/main/handlers.ts";
import { linkTypes } from "../../src/query/catalogue/linkTypes.ts";
import { locate } from "../../src/visitors/location.ts";
import { readUserAgent } from "../../src/visitors/userAgent.ts";
import {
  chrome,
  chromeOnAndroid,
  create,
  follow,
  post,
  type ShownLink,
  safariOnIphone,
} from "../kit/calls/linkCalls.ts";
import { send } from "../kit/calls/request.ts";
import { createKey, createWebsite, type TestWebsite } from "../kit/calls/website.ts";
import { pick } from "../kit/random/randomEvents.ts";
import { seededRandom } from "../kit/random/seededRandom.ts";
import { type OwnServer, startOwnServer } from "../kit/stack/ownServer.ts";

/** One click of the test, with the expected columns. */
type Click = {
  readonly link: ShownLink;
  readonly visitor: string;
  readonly country: string;
  readonly device: string;
  readonly browser: string;
  readonly os: string;
  readonly referrer: string;
};

const agents = [chrome, safariOnIphone, chromeOnAndroid, "Links (2.29; GNU C)"];
const addresses = ["8.8.8.8", "81.2.69.142", "1.1.1.1", "2a02:2e0::1", "203.0.113.7"];
const referrers = ["", "https://www.google.com/search?q=x", "https://news.ycombinator.com/item?id=1", "https://t.co/x"];
const seed = Date.now() % 1_000_000;

let server: OwnServer;
let website: TestWebsite;
let links: ShownLink[];
let clicks: Click[];
const today = new Date().toISOString().slice(0, 10);

async function click(link: ShownLink, address: string, agent: string, referrer = ""): Promise<Click> {
  const headers = {
    "user-agent": agent,
    "x-forwarded-for": address,
    ...(referrer === "" ? {} : { referer: referrer }),
  };
  const answer = await follow(link.slug, { headers, baseUrl: server.baseUrl });
  expect(answer.status).toBe(302);
  const { device = "Unknown", browser = "Unknown", os = "Unknown" } = readUserAgent(agent);
  return {
    link,
    visitor: `${address} ${agent}`,
    country: locate(address).country ?? "Unknown",
    device,
    browser,
    os,
    referrer: referrer === "" ? "Direct" : new URL(referrer).hostname.replace(/^www\./, ""),
  };
}

const ask = async (body: Record<string, unknown>, key: { apiKey: string } = website) => {
  const answer = await send("POST", "/analytics/query", {
    body: { dateFrom: today, dateTo: today, ...body },
    apiKey: key.apiKey,
    baseUrl: server.baseUrl,
  });
  return {
    status: answer.status,
    ...(answer.body as { data: Record<string, unknown>[]; total: number; code: string }),
  };
};

const query = async (
  project: string,
  parameters: unknown[],
  key: { apiKey: string } = website,
  filters: object[] = [],
) => {
  const answer = await send("POST", `/v1/query?${project}`, {
    body: { parameters, preset: "today", filters },
    apiKey: key.apiKey,
    baseUrl: server.baseUrl,
  });
  return answer as {
    status: number;
    body: { code: string; data: { success: boolean; data: Record<string, unknown>[]; error?: string }[] };
  };
};

beforeAll(async () => {
  server = await startOwnServer(handlers, { TRUSTED_PROXIES: "127.0.0.1" });
  website = await createWebsite({ domain: "shop.example" });
  links = [
    await create({ websiteId: website.websiteId, targetUrl: "https://www.shop.example/sale/" }, website),
    await create({ targetUrl: "https://elsewhere.example/" }, website),
    await create({ websiteId: website.websiteId, targetUrl: "https://shop.example/" }, website),
  ];
  const random = seededRandom(seed);
  clicks = [];
  for (let index = 0; index < 200; index += 1)
    clicks.push(
      await click(pick(random, links), pick(random, addresses), pick(random, agents), pick(random, referrers)),
    );
  const isStored = async () =>
    expect((await ask({ websiteId: website.organizationId, metric: "clicks" })).total).toBe(clicks.length);
  await vi.waitFor(isStored, { timeout: 100_000, interval: 200 });
});

afterAll(() => server.close());

const visitorsOf = (some: readonly Click[]) =>
  // A visitor has one hash within the target's website, else within the organization.
  new Set(some.map(({ visitor, link }) => `${visitor} ${link.targetWebsiteId ?? ""}`)).size;

function expected(some: readonly Click[], metric: string, dimension: keyof Click | undefined) {
  if (dimension === undefined) return [{ clicks: some.length, uniqueVisitors: visitorsOf(some) }];
  const groups = [...Map.groupBy(some, (one) => one[dimension])].map(([value, of]) => ({
    [dimension]: value,
    clicks: of.length,
    uniqueVisitors: visitorsOf(of),
  }));
  return groups.sort((a, b) => Number(b[metric]) - Number(a[metric]));
}

const sorted = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).sort();

test(`4.14: clicks and visitors by every dimension and filter are those of the clicks sent (seed ${seed})`, async () => {
  const dimensions = [undefined, "country", "device", "browser", "os", "referrer"] as const;
  const scopes = [
    { websiteId: website.organizationId, of: () => true },
    { websiteId: website.websiteId, of: ({ link }: Click) => link.websiteId !== null },
    { websiteId: website.clientId, of: ({ link }: Click) => link.websiteId !== null },
    { websiteId: links[0]?.slug.toUpperCase() ?? "", of: ({ link }: Click) => link.id === links[0]?.id },
    { websiteId: links[1]?.id ?? "", of: ({ link }: Click) => link.id === links[1]?.id },
  ];
  for (const { websiteId, of } of scopes)
    for (const metric of ["clicks", "uniqueVisitors"])
      for (const dimension of dimensions) {
        const some = clicks.filter(of);
        const answer = await ask({ websiteId, metric, ...(dimension === undefined ? {} : { dimension }) });
        const rows = expected(some, metric, dimension);
        expect(sorted(answer.data), `${websiteId} ${metric} ${dimension}`).toEqual(sorted(rows));
        expect(answer.data.map((row) => row[metric])).toEqual(rows.map((row) => Reflect.get(row, metric)));
        expect(answer.total).toBe(metric === "clicks" ? some.length : visitorsOf(some));
      }
  const filtered = await ask({
    websiteId: website.organizationId,
    metric: "clicks",
    dimension: "referrer",
    filters: { linkSlug: links[0]?.slug, device: "mobile", country: "US" },
  });
  const some = clicks.filter(
    ({ link, device, country }) => link.id === links[0]?.id && device === "mobile" && country === "US",
  );
  expect(sorted(filtered.data)).toEqual(sorted(expected(some, "clicks", "referrer")));
  expect(
    await ask({ websiteId: website.organizationId, metric: "clicks", filters: { linkSlug: "none-such" } }),
  ).toMatchObject({ total: 0 });
  expect(
    (await ask({ websiteId: website.organizationId, metric: "clicks", dimension: "browser", limit: 1 })).data,
  ).toHaveLength(1);
});

test("4.14: by date every day of the period has a row; the period is answered as instants", async () => {
  const dayMs = 86_400_000;
  const from = new Date(Date.now() - 2 * dayMs).toISOString().slice(0, 10);
  const answer = await ask({ websiteId: website.organizationId, metric: "clicks", dimension: "date", dateFrom: from });
  expect(answer.data.map(({ date, clicks: count }) => [date, count])).toEqual([
    [from, 0],
    [new Date(Date.now() - dayMs).toISOString().slice(0, 10), 0],
    [today, clicks.length],
  ]);
  expect(answer).toMatchObject({
    period: {
      from: `${from}T00:00:00.000Z`,
      to: new Date(Date.parse(today) + dayMs).toISOString(),
    },
  });
});

test.each([
  [{ metric: "revenue" }, "metric"],
  [{ dimension: "planet" }, "dimension"],
  [{ dateFrom: "yesterday" }, "dateFrom"],
  [{ dateTo: "2020-01-01" }, "dateTo"],
  [{ timezone: "Mars/Base" }, "timezone"],
  [{ limit: 0 }, "limit"],
])("4.14: an invalid request is refused with its field: %j", async (given, field) => {
  const answer = await ask({ websiteId: website.websiteId, metric: "clicks", ...given });
  expect(answer).toMatchObject({ status: 400, code: "VALIDATION_ERROR", details: [{ field }] });
});

test("4.1: the link query types answer by link, website and organization", async () => {
  const [first] = links;
  const own = clicks.filter(({ link }) => link.id === first?.id);
  const { body } = await query(`link_id=${first?.id}`, [
    "link_total_clicks",
    "link_clicks_by_day",
    "link_referrers_by_day",
    "link_countries_by_day",
    "link_top_referrers",
    "link_top_devices",
    "top_pages",
  ]);
  const [total, byDay, referrersByDay, countriesByDay, topReferrers, topDevices, topPages] = body.data;
  expect(total?.data).toEqual([{ total: own.length, visitors: visitorsOf(own) }]);
  expect(byDay?.data).toEqual([{ date: today, clicks: own.length, visitors: visitorsOf(own) }]);
  const different = (name: "referrer" | "country", none: string) =>
    new Set(own.map((one) => one[name]).filter((value) => value !== none)).size;
  expect(referrersByDay?.data).toEqual([{ date: today, value: different("referrer", "Direct") }]);
  expect(countriesByDay?.data).toEqual([{ date: today, value: different("country", "Unknown") }]);
  const counts = (rows: (typeof body.data)[0]["data"] | undefined) =>
    Object.fromEntries((rows ?? []).map(({ name, clicks: count }) => [name, count]));
  const by = (name: "referrer" | "device") =>
    Object.fromEntries([...Map.groupBy(own, (one) => one[name])].map(([value, of]) => [value, of.length]));
  expect(counts(topReferrers?.data)).toEqual(by("referrer"));
  expect(topReferrers?.data[0]).toHaveProperty("referrer");
  expect(counts(topDevices?.data)).toEqual(by("device"));
  expect(topPages).toMatchObject({ success: false, error: expect.stringContaining("not about a short link") });
  const perWebsite = await query(`website_id=${website.websiteId}`, ["link_total_clicks"]);
  expect(perWebsite.body.data[0]?.data[0]).toMatchObject({
    total: clicks.filter(({ link }) => link.websiteId !== null).length,
  });
  const ranked = await query(`website_id=${website.websiteId}`, ["link_top_links"]);
  const ofWebsite = clicks.filter(({ link }) => link.websiteId !== null);
  expect(counts(ranked.body.data[0]?.data)).toEqual(
    Object.fromEntries([...Map.groupBy(ofWebsite, ({ link }) => link.id)].map(([id, of]) => [id, of.length])),
  );
  const perOrganization = await query(`organization_id=${website.organizationId}`, ["link_total_clicks"], website, [
    { field: "browser_name", op: "ne", value: "Chrome" },
  ]);
  expect(perOrganization.body.data[0]?.data[0]).toMatchObject({
    total: clicks.filter(({ browser }) => browser !== "Chrome").length,
  });
});

test("4.1: every link query type answers with exactly the fields in the catalogue", async () => {
  const types = linkTypes.map(({ name }) => name);
  const { body } = await query(`organization_id=${website.organizationId}`, types);
  for (const [index, { name, fields }] of linkTypes.entries()) {
    const rows = body.data[index]?.data ?? [];
    expect(rows.length, name).toBeGreaterThan(0);
    const expectedNames = fields.map((field) => field.name).sort();
    for (const row of rows) expect(Object.keys(row).sort(), name).toEqual(expectedNames);
  }
});

test("5: clicks of others cannot be read by link, slug, website, organization or filter; limited keys see their websites", async () => {
  const other = await createWebsite();
  const [first, second] = links;
  for (const websiteId of [website.websiteId, website.organizationId, first?.id, first?.slug, "none"])
    expect(await ask({ websiteId, metric: "clicks" }, other)).toMatchObject({ status: 403, code: "ACCESS_DENIED" });
  expect(
    await ask({ websiteId: other.organizationId, metric: "clicks", filters: { linkId: first?.id } }, other),
  ).toMatchObject({ total: 0 });
  for (const id of [first?.id, "none"])
    expect(await query(`link_id=${id}`, ["link_total_clicks"], other)).toMatchObject({
      status: 403,
      body: { code: "ACCESS_DENIED" },
    });
  const limited = {
    apiKey: await createKey({ organizationId: website.organizationId, websiteIds: [website.websiteId] }),
  };
  expect((await query(`link_id=${first?.id}`, ["link_total_clicks"], limited)).status).toBe(200);
  expect((await query(`link_id=${second?.id}`, ["link_total_clicks"], limited)).status).toBe(403);
  const ofFirst = { total: clicks.filter(({ link }) => link.id === first?.id).length };
  expect(await ask({ websiteId: first?.slug, metric: "clicks" }, limited)).toMatchObject(ofFirst);
  expect(await ask({ websiteId: second?.slug, metric: "clicks" }, limited)).toMatchObject({ status: 403 });
  expect(
    await ask({ websiteId: website.websiteId, metric: "clicks", filters: { linkSlug: first?.slug } }, limited),
  ).toMatchObject(ofFirst);
  expect(await ask({ websiteId: website.organizationId, metric: "clicks" }, limited)).toMatchObject({
    total: clicks.filter(({ link }) => link.websiteId !== null).length,
  });
});

test("8.5: clicks of a deleted link can still be queried, by its id and its slug", async () => {
  const made = await create({}, website);
  await click(made, "8.8.8.8", chrome);
  await post("delete", { id: made.id }, website);
  const find = async () => (await ask({ websiteId: made.id, metric: "clicks" })).total;
  await expect.poll(find).toBe(1);
  expect(await ask({ websiteId: made.slug, metric: "clicks" })).toMatchObject({ total: 1 });
  clicks.push({ ...(clicks[0] as Click), link: made });
});

test("4.14: the conversion rate is the share of visitors who viewed the target page of a tracked website after the click", async () => {
  const shop = await createWebsite({ domain: "store.example" });
  const link = await create({ targetUrl: "https://www.store.example/offer/?x=1" }, shop);
  const elsewhere = await create({ targetUrl: "https://elsewhere.example/offer" }, shop);
  const view = (address: string, agent: string, path: string, referrer = "https://t.co/x") =>
    send("POST", `/batch?website_id=${shop.websiteId}`, {
      body: [{ name: "page_view", path, anonymousId: randomUUID(), sessionId: randomUUID(), referrer }],
      headers: { "user-agent": agent, "x-forwarded-for": address },
      baseUrl: server.baseUrl,
    });
  for (const address of ["8.8.8.1", "8.8.8.2", "8.8.8.3", "8.8.8.4"]) await click(link, address, chrome);
  await click(link, "8.8.8.1", safariOnIphone);
  await click(link, "8.8.8.1", chrome);
  await click(elsewhere, "8.8.8.5", chrome);
  // Reached it: with and without the slash at the end. The others viewed another page, or are another visitor, or never came.
  await view("8.8.8.1", chrome, "https://www.store.example/offer/?x=1");
  await view("8.8.8.2", chrome, "/offer", "");
  await view("8.8.8.3", chrome, "/other");
  await view("8.8.8.4", safariOnIphone, "/offer");
  await view("8.8.8.5", chrome, "/offer");
  const rate = (more: object = {}) => ask({ websiteId: shop.organizationId, metric: "conversionRate", ...more }, shop);
  await vi.waitFor(
    async () =>
      expect(await rate()).toMatchObject({
        total: 40,
        data: [{ clicks: 7, uniqueVisitors: 6, conversions: 2, conversionRate: 40 }],
      }),
    { timeout: 100_000, interval: 200 },
  );
  expect((await rate({ dimension: "browser" })).data).toEqual([
    { browser: "Chrome", clicks: 6, uniqueVisitors: 5, conversions: 2, conversionRate: 50 },
    { browser: "Safari", clicks: 1, uniqueVisitors: 1, conversions: 0, conversionRate: 0 },
  ]);
  expect((await rate({ dimension: "date" })).data).toEqual([
    { date: today, clicks: 7, uniqueVisitors: 6, conversions: 2, conversionRate: 40 },
  ]);
  expect(await rate({ filters: { linkSlug: elsewhere.slug } })).toMatchObject({
    total: 0,
    data: [{ conversionRate: 0 }],
  });
});

test("4.14: a link to the first page of a tracked website counts views of that page as conversions", async () => {
  const shop = await createWebsite({ domain: "first.example" });
  const link = await create({ targetUrl: "https://first.example/" }, shop);
  const view = (address: string, event: object) =>
    send("POST", `/batch?website_id=${shop.websiteId}`, {
      body: [{ name: "page_view", anonymousId: randomUUID(), sessionId: randomUUID(), ...event }],
      headers: { "user-agent": chrome, "x-forwarded-for": address },
      baseUrl: server.baseUrl,
    });
  for (const address of ["8.8.9.1", "8.8.9.2", "8.8.9.3", "8.8.9.4"]) await click(link, address, chrome);
  await view("8.8.9.1", { path: "https://first.example/?x=1" });
  await view("8.8.9.2", { path: "/" });
  await view("8.8.9.3", { path: "/other" });
  // A page view without a page.
  await view("8.8.9.4", {});
  const rate = () => ask({ websiteId: link.id, metric: "conversionRate" }, shop);
  await vi.waitFor(
    async () =>
      expect(await rate()).toMatchObject({
        data: [{ clicks: 4, uniqueVisitors: 4, conversions: 2, conversionRate: 50 }],
      }),
    { timeout: 100_000, interval: 200 },
  );
});
