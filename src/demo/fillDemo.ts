import type { Stores } from "../main/compose.ts";
import { epochMs } from "../store/postgres/epochMs.ts";
import { RowWriter } from "../store/write/rowWriter.ts";
import { dayMs } from "../time/utcDay.ts";
import { type DemoLink, storeClicks } from "./clickHistory.ts";
import { DemoApi } from "./demoApi.ts";
import { demoDays, demoDomain, demoName, unfinishedName } from "./demoWebsite.ts";
import { makeStatusPage } from "./statusHistory.ts";
import { trafficOf } from "./traffic.ts";
import { type DemoMonitor, type Outage, storeHistory } from "./uptimeHistory.ts";

/** What the API takes in one request. */
const mostItems = 100;
/** Requests under way at a time. */
const atOnce = 4;

type Website = { readonly id: string; readonly name: string; readonly domain: string; readonly organizationId: string };

/**
 * Fills a website with made up, but always the same, traffic of 90 days, monitors, links and a status page. What is there
 * already stays; what an interrupted start has left is removed and made anew. Rejects when the product refuses anything.
 */
export async function fillDemo(stores: Stores, apiKey: string, log: (line: string) => void): Promise<void> {
  const { baseUrl } = stores.config.server;
  const api = new DemoApi(baseUrl, apiKey);
  const { websites } = await api.post<{ websites: Website[] }>("/websites/list", {});
  const found = websites.find(({ domain }) => domain === demoDomain);
  if (found !== undefined && found.name !== unfinishedName) {
    log(`the demo data is there: ${baseUrl}/dashboard/${found.id}`);
    return;
  }
  if (found !== undefined) {
    log("a start before this one was interrupted: its demo data is made anew");
    await api.post("/websites/delete", { id: found.id });
  }
  const nowMs = Date.now();
  const website = await api.post<Website>("/websites/create", {
    name: unfinishedName,
    domain: demoDomain,
    timezone: "UTC",
  });
  await sendTraffic(api, website.id, nowMs, log);
  const writer = new RowWriter(stores.config.questdb, stores.metrics, stores.log);
  try {
    const monitors = await makeMonitors(api, stores, website.id);
    const outages: Outage[] = [];
    for (const [index, monitor] of monitors.entries()) {
      const outage = await storeHistory(monitor, stores, writer, { nowMs, isAffected: index < 2 });
      if (outage !== undefined) outages.push(outage);
      log(`monitors: ${index + 1} of ${monitors.length} with ${demoDays} days of checks`);
    }
    const clicks = await makeLinks(api, website, writer, nowMs);
    log(`links: ${clicks} clicks`);
    const monitorIds = monitors.map(({ id }) => id);
    const page = await makeStatusPage(api, stores, { websiteId: website.id, monitorIds, outage: outages[0] });
    log(`status page: ${page}`);
  } finally {
    await writer.close();
  }
  await api.post("/websites/update", { id: website.id, name: demoName, goals: demoGoals });
  log(`done: ${baseUrl}/dashboard/${website.id}`);
}

/** What trafficFacts.ts lets visitors do. */
const demoGoals = {
  goals: [
    { kind: "event", value: "signed_up" },
    { kind: "event", value: "purchase", revenue: { property: "value", currencyProperty: "currency" } },
    { kind: "event", value: "newsletter_subscribed" },
  ],
  funnels: [
    {
      name: "Checkout",
      steps: [
        { kind: "page", value: "/products/*" },
        { kind: "page", value: "/cart" },
        { kind: "event", value: "purchase" },
      ],
    },
    {
      name: "Sign-up",
      steps: [
        { kind: "page", value: "/" },
        { kind: "page", value: "/pricing" },
        { kind: "event", value: "signed_up" },
      ],
    },
  ],
};

async function sendTraffic(api: DemoApi, websiteId: string, nowMs: number, log: (line: string) => void): Promise<void> {
  const todayMs = Math.floor(nowMs / dayMs) * dayMs;
  let sent = 0;
  for (let daysAgo = demoDays - 1; daysAgo >= 0; daysAgo -= 1) {
    const { events, vitals, errors, deploys } = trafficOf(todayMs - daysAgo * dayMs, daysAgo, nowMs);
    const requests = Object.entries({ batch: events, vitals, errors, track: deploys }).flatMap(([call, items]) => {
      sent += items.length;
      return chunks(items).map((part) => [`/${call}?website_id=${websiteId}`, part] as const);
    });
    for (const group of chunks(requests, atOnce))
      await Promise.all(group.map(([path, items]) => sendItems(api, path, items)));
    if (daysAgo % 10 === 0) log(`traffic: ${demoDays - daysAgo} of ${demoDays} days, ${sent} events`);
  }
}

type ItemResults = { readonly results?: readonly { readonly status: string; readonly message?: string }[] };

async function sendItems(api: DemoApi, path: string, items: readonly object[]): Promise<void> {
  const { results = [] } = await api.post<ItemResults>(path, items);
  const refused = results.find(({ status }) => status !== "success");
  if (refused !== undefined) throw new Error(`${path} refused an event of the demo: ${refused.message}`);
}

/** The target is this service itself: `npm start -- --demo` allows checks of 127.0.0.1. */
async function makeMonitors(api: DemoApi, { postgres, config }: Stores, websiteId: string): Promise<DemoMonitor[]> {
  const target = `http://127.0.0.1:${new URL(config.server.baseUrl).port || "80"}/healthz`;
  const monitors: DemoMonitor[] = [];
  for (const [name, interval] of [
    ["Shop", "5m"],
    ["Checkout", "15m"],
    ["API for partners", "5m"],
  ] as const) {
    const body = { websiteId, name: `${name} (demo)`, interval, url: `${target}?demo=${encodeURIComponent(name)}` };
    const { id, regions } = await api.post<{ id: string; regions: string[] }>("/uptime/monitors/create", body);
    const { rows } = await postgres.query<{ intervalMs: number; phaseMs: number; createdMs: number }>(
      `SELECT interval_ms AS "intervalMs", phase_ms AS "phaseMs", ${epochMs("created_at")} AS "createdMs" FROM monitors WHERE id = $1`,
      [id],
    );
    const [row] = rows;
    if (row === undefined) throw new Error("PostgreSQL does not have a monitor that was just made");
    // It has been checked for so long: pages count the checks that were due since then.
    await postgres.query("UPDATE monitors SET created_at = created_at - make_interval(days => $2) WHERE id = $1", [
      id,
      demoDays,
    ]);
    monitors.push({ id, websiteId, region: regions[0] ?? "local", ...row });
  }
  return monitors;
}

async function makeLinks(api: DemoApi, website: Website, writer: RowWriter, nowMs: number): Promise<number> {
  let clicks = 0;
  for (const [name, path, perDay] of [
    ["Autumn offer (demo)", "/products/desk-lamp", 9],
    ["Conference talk (demo)", "/features", 5],
    ["Printed catalogue (demo)", "/pricing", 3],
  ] as const) {
    const body = {
      name,
      websiteId: website.id,
      targetUrl: `https://${demoDomain}${path}`,
      utm: {
        source: "link",
        medium: "short_link",
        campaign: name.replace(" (demo)", "").toLowerCase().replaceAll(" ", "_"),
      },
    };
    const link = await api.post<Pick<DemoLink, "id" | "organizationId" | "targetWebsiteId">>("/links/create", body);
    clicks += await storeClicks({ ...link, websiteId: website.id, targetPath: path, clicks: perDay }, writer, nowMs);
  }
  return clicks;
}

function chunks<T>(items: readonly T[], size = mostItems): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
