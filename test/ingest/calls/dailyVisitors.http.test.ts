import { expect, test } from "vitest";
import { send } from "../../kit/calls/request.ts";
import { createWebsite, type TestWebsite } from "../../kit/calls/website.ts";
import { storedRows } from "../../kit/stores/storedRows.ts";

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const safari =
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15";
const view = { name: "page_view", path: "/" };

type Sent = { body: object; agent?: string; apiKey?: string };

async function post({ websiteId }: TestWebsite, { body, agent = firefox, apiKey }: Sent): Promise<void> {
  const headers = { "user-agent": agent };
  const answer = await send("POST", `/batch?website_id=${websiteId}`, { body, headers, ...(apiKey ? { apiKey } : {}) });
  expect(answer).toMatchObject({ status: 200, body: { status: "success" } });
}

async function summary({ websiteId, apiKey }: TestWebsite): Promise<unknown> {
  const body = { preset: "today", parameters: ["summary_metrics"] };
  const answer = await send("POST", `/v1/query?website_id=${websiteId}`, { apiKey, body });
  return (answer.body as { data: { data: unknown[] }[] }).data[0]?.data[0];
}

test("6: events of browsers without ids belong to a visitor by address and browser, also custom events, exits and links", async () => {
  const website = await createWebsite();
  await post(website, { body: [view, { name: "signup", path: "/" }] });
  await post(website, { body: [{ name: "page_exit", path: "/", time_on_page: 3 }] });
  await post(website, { body: [{ type: "outgoing_link", href: "https://partner.example/" }] });
  await post(website, { body: [view], agent: safari });
  const events = await storedRows("events", website.websiteId, 4);
  const ofFirefox = new Set(events.filter(({ browser }) => browser === "Firefox").map((row) => row["anonymous_id"]));
  expect([...ofFirefox]).toEqual([expect.stringMatching(/^[\w-]{8}$/)]);
  expect(new Set(events.map((row) => row["visitor_key"])).size).toBe(2);
  const [link] = await storedRows("outgoing_links", website.websiteId, 1);
  expect(link?.["anonymous_id"]).toBe([...ofFirefox][0]);
  await expect.poll(() => summary(website)).toMatchObject({ pageviews: 2, unique_visitors: 2, sessions: 2 });
});

test("6: a visit without ids ends after half an hour without an event, as any other", async () => {
  const website = await createWebsite();
  const atMs = (minutesAgo: number) => ({ ...view, timestamp: Date.now() - minutesAgo * 60_000 });
  await post(website, { body: [atMs(70), atMs(45), atMs(5)] });
  const week = { preset: "last_7d", parameters: ["summary_metrics"] };
  const ask = async () => {
    const { websiteId, apiKey } = website;
    const answer = await send("POST", `/v1/query?website_id=${websiteId}`, { apiKey, body: week });
    return (answer.body as { data: { data: unknown[] }[] }).data[0]?.data[0];
  };
  await expect.poll(ask).toMatchObject({ pageviews: 3, unique_visitors: 1, sessions: 2 });
});

test("6: an id that was sent is kept, and takes the place of the day's", async () => {
  const website = await createWebsite();
  await post(website, { body: [{ ...view, anonymousId: "ada" }, { ...view, sessionId: "her-session" }, view] });
  const events = await storedRows("events", website.websiteId, 3);
  const ids = events.map((row) => row["anonymous_id"]);
  expect(ids.filter((id) => id === "ada" || id === null)).toHaveLength(2);
  expect(ids).toContainEqual(expect.stringMatching(/^[\w-]{8}$/));
});

test("6: a server states address and browser of a visitor, and its events without them have none", async () => {
  const website = await createWebsite();
  const { apiKey } = website;
  const stated = { ip: "203.0.113.7", userAgent: firefox };
  const other = { ip: "203.0.113.8", userAgent: firefox };
  const order = { name: "order", path: "/" };
  const body = [
    { ...view, ...stated },
    { ...order, ...stated },
    { ...view, ...other },
    order,
    { ...order, ip: "203.0.113.7" },
  ];
  await post(website, { body, apiKey });
  const events = await storedRows("events", website.websiteId, 5);
  const views = events.filter(({ name }) => name === "page_view");
  const orders = events.filter(({ name }) => name === "order");
  expect(new Set(views.map((row) => row["visitor_key"])).size).toBe(2);
  expect(orders.filter((row) => row["visitor_key"] === null)).toHaveLength(2);
  expect(views.map((row) => row["visitor_key"])).toContain(
    orders.find((row) => row["visitor_key"] !== null)?.["visitor_key"],
  );
  expect(JSON.stringify(events)).not.toContain("203.0.113");
});
