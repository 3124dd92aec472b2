import { expect } from "vitest";
import { chrome, create as createLink, follow } from "../kit/calls/linkCalls.ts";
import { send } from "../kit/calls/request.ts";
import { createWebsite, type TestWebsite } from "../kit/calls/website.ts";
import { post } from "../kit/calls/websiteCalls.ts";
import { inDatabase } from "../kit/stores/inDatabase.ts";
import { insertMonitor } from "../kit/stores/monitorFixture.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** A shop with known figures, and what its owner says in questions: days and times. */
export type Shop = TestWebsite & { readonly said: Readonly<Record<string, string>> };

type Visit = {
  readonly atMs: number;
  readonly paths: readonly string[];
  readonly campaign?: string;
  readonly country?: string;
  readonly event?: { readonly name: string; readonly properties?: object };
};

/**
 * Last month four visitors of the campaign spring, of whom three signed up, and two of autumn, of whom one did. A week
 * before an outage of half an hour three orders of 20 EUR from Germany, in it none. Yesterday five visitors, of whom four
 * reached the cart and one from France ordered for 15 EUR, after a release at 6:00; the one before was ten days earlier. Today four visitors, a week ago until this time two.
 */
export async function createShop(): Promise<Shop> {
  const website = await createWebsite({ firstEventOn: "2020-01-01", domain: "shop.example" });
  const nowMs = Date.now();
  const todayMs = Math.floor(nowMs / dayMs) * dayMs;
  const now = new Date(nowMs);
  const lastMonthMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 15, 12);
  const soFarMs = todayMs + Math.floor((nowMs - todayMs) / 2);
  const releasedMs = todayMs - dayMs + 6 * hourMs;
  const yesterdayMs = todayMs - dayMs + 12 * hourMs;
  const downMs = todayMs - 5 * dayMs + 9 * hourMs;
  const signup = { name: "signup" };
  const order = (amount: number) => ({ name: "order", properties: { amount, currency: "EUR" } });
  const times = (count: number, visit: Visit) => Array.from({ length: count }, () => visit);
  const visits: readonly Visit[] = [
    ...times(3, { atMs: lastMonthMs, paths: ["/"], campaign: "spring", event: signup }),
    ...times(1, { atMs: lastMonthMs, paths: ["/"], campaign: "spring" }),
    ...times(1, { atMs: lastMonthMs, paths: ["/"], campaign: "autumn", event: signup }),
    ...times(1, { atMs: lastMonthMs, paths: ["/"], campaign: "autumn" }),
    ...times(3, { atMs: downMs - 7 * dayMs + 600_000, paths: ["/shop"], country: "DE", event: order(20) }),
    ...times(1, { atMs: yesterdayMs, paths: ["/", "/cart"], country: "FR", event: order(15) }),
    ...times(3, { atMs: yesterdayMs, paths: ["/", "/cart"] }),
    ...times(1, { atMs: yesterdayMs, paths: ["/"] }),
    ...times(4, { atMs: soFarMs, paths: ["/today"] }),
    ...times(2, { atMs: soFarMs - 7 * dayMs, paths: ["/today"] }),
  ];
  const items = visits.flatMap(eventsOf);
  for (let at = 0; at < items.length; at += 50) {
    const body = items.slice(at, at + 50);
    const sent = await send("POST", `/batch?website_id=${website.websiteId}`, { apiKey: website.apiKey, body });
    expect(sent.body).toMatchObject({ results: body.map(() => ({ status: "success" })) });
  }
  // As examples/python/mark_deploy.py sends them.
  const deploys = [releasedMs - 10 * dayMs, releasedMs].map((timestamp, index) => {
    return { name: "deploy", eventId: `deploy-${index}`, timestamp, properties: { version: `2.${index}.0` } };
  });
  const marked = await send("POST", `/track?website_id=${website.websiteId}`, {
    apiKey: website.apiKey,
    body: deploys,
  });
  expect(marked.status, JSON.stringify(marked.body)).toBe(200);
  const goals = [
    { kind: "event", value: "signup" },
    { kind: "event", value: "order", revenue: { property: "amount", currencyProperty: "currency" } },
  ];
  expect((await post("update", { id: website.websiteId, goals: { goals } }, website)).status).toBe(200);
  await addOutage(website, downMs, downMs + hourMs / 2);
  const link = await createLink({ websiteId: website.websiteId, name: "newsletter" }, website);
  for (let click = 0; click < 2; click += 1) await follow(link.slug, { headers: { "user-agent": chrome } });
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  const said = {
    release: new Date(releasedMs).toISOString(),
    today: day(todayMs),
    weekAgo: day(todayMs - 6 * dayMs),
    down: new Date(downMs).toISOString(),
    up: new Date(downMs + hourMs / 2).toISOString(),
    link: link.id,
  };
  return { ...website, said };
}

/** A visitor's events, a second apart. */
function eventsOf({ atMs, paths, campaign, country, event }: Visit, index: number): object[] {
  const ids = { anonymousId: `visitor${index}`, sessionId: `session${index}`, country };
  const views = paths.map((path, at) => ({
    ...ids,
    name: "page_view",
    path,
    timestamp: atMs + at * 1_000,
    utm_campaign: campaign,
  }));
  return event === undefined ? views : [...views, { ...ids, ...event, path: paths.at(-1), timestamp: atMs + 10_000 }];
}

async function addOutage(website: TestWebsite, downMs: number, upMs: number): Promise<void> {
  const monitor = await insertMonitor(website, { name: "Shop" });
  await inDatabase((database) =>
    database.query(
      `INSERT INTO incidents (id, monitor_id, started_at, resolved_at, first_error, checks_affected, regions)
       VALUES ($1, $2, to_timestamp($3::float8 / 1000), to_timestamp($4::float8 / 1000), 'HTTP status 503, expected 200-299', 3, '{local}')`,
      [`${monitor.id}/${downMs}`, monitor.id, downMs, upMs],
    ),
  );
}
