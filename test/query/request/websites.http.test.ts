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
