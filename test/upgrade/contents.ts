import { createServer } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { seededRandom } from "../kit/random/seededRandom.ts";
import { type ApiClient, callOf } from "./apiClient.ts";
import type { Credentials } from "./upgradeStack.ts";

/** What the contents of the fixture are asked for. Days are UTC. */
export type Contents = {
  readonly days: readonly [start: string, end: string];
  /** The day on which the fixture was made, of its clicks and checks. */
  readonly madeOn: string;
  readonly linkId: string;
  readonly monitorId: string;
  readonly deletionId: string;
};

const firstDayMs = Date.parse("2026-09-01T00:00:00Z");
const dayMs = 86_400_000;
const browser = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

/** Fills every store: events of a week, one of whose days is erased, clicks, checks, keys, and what else a customer sets up. */
export async function fill(baseUrl: string, credentials: Credentials): Promise<Contents> {
  const call = callOf(baseUrl, credentials.apiKey);
  const { websiteId } = credentials;
  await call("POST", "/websites/update", { id: websiteId, timezone: "Europe/Berlin" });
  await call("POST", "/api-keys/create", { name: "Dashboard", scopes: ["read:data"], websiteIds: [websiteId] });
  await sendWeek(call, websiteId);
  const linkId = await addLink(baseUrl, call, websiteId);
  const monitorId = await addMonitor(call, websiteId);
  const deletionId = await eraseDay(call, websiteId);
  await addSettings(call, websiteId);
  const madeOn = new Date().toISOString().slice(0, 10);
  return { days: ["2026-09-01", "2026-09-07"], madeOn, linkId, monitorId, deletionId };
}

/** Events for the log, sent while QuestDB is away. */
export async function sendLate(baseUrl: string, { websiteId, apiKey }: Credentials): Promise<void> {
  await callOf(baseUrl, apiKey)("POST", `/batch?website_id=${websiteId}`, eventsOf(7, 40, firstDayMs + 6 * dayMs));
}

async function sendWeek(call: ApiClient, websiteId: string): Promise<void> {
  for (let day = 0; day < 7; day += 1)
    await call("POST", `/batch?website_id=${websiteId}`, eventsOf(day, 90, firstDayMs + day * dayMs));
  await call("POST", `/errors?website_id=${websiteId}`, [
    {
      message: "x is not a function",
      errorType: "TypeError",
      path: "/pricing",
      timestamp: firstDayMs + 1_000,
      anonymousId: "a1",
      sessionId: "s1",
    },
  ]);
}

/** Page views, exits and custom events of visitors of one day. */
function eventsOf(seed: number, count: number, dayStartMs: number): object[] {
  const random = seededRandom(seed + 1);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  return Array.from({ length: count }, (_, index) => {
    const visitor = Math.floor(random() * 12);
    const name = pick(["page_view", "page_view", "page_exit", "signup"]);
    return {
      eventId: `${seed}-${index}`,
      name,
      timestamp: dayStartMs + Math.floor(random() * dayMs * 0.9),
      path: pick(["/", "/pricing", "/blog/one", "/blog/two"]),
      title: "Example",
      anonymousId: `visitor-${visitor}`,
      sessionId: `session-${seed}-${visitor}`,
      referrer: pick(["", "https://www.google.com/", "https://news.example/list"]),
      screen_resolution: pick(["1920x1080", "390x844"]),
      language: pick(["en-US", "de"]),
      timezone: "Europe/Berlin",
      ...(name === "page_view"
        ? { load_time: Math.floor(random() * 2_000), utm_source: pick([undefined, "newsletter"]) }
        : {}),
      ...(name === "page_exit"
        ? { time_on_page: Math.floor(random() * 90), scroll_depth: Math.floor(random() * 100) }
        : {}),
      ...(name === "signup" ? { properties: { plan: pick(["free", "team"]), seats: Math.floor(random() * 9) } } : {}),
    };
  });
}

async function addLink(baseUrl: string, call: ApiClient, websiteId: string): Promise<string> {
  const link = { slug: "spring", targetUrl: "https://shop.example/sale", websiteId, utm: { source: "newsletter" } };
  const { id } = (await call("POST", "/links/create", link)) as { id: string };
  for (let click = 0; click < 5; click += 1)
    await fetch(`${baseUrl}/l/spring`, { redirect: "manual", headers: { "user-agent": browser } });
  return id;
}

/** A monitor of a server of our own, paused after its first checks. */
async function addMonitor(call: ApiClient, websiteId: string): Promise<string> {
  const server = createServer((_, response) => response.end("ok")).listen(0, "127.0.0.1");
  try {
    while (!server.listening) await pause(10);
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const monitor = { websiteId, url: `http://127.0.0.1:${port}/`, interval: "1m" };
    const { id } = (await call("POST", "/uptime/monitors/create", monitor)) as { id: string };
    const checks = async () =>
      ((await call("POST", "/uptime/checks/recent", { monitorId: id, limit: 10 })) as { checks: unknown[] }).checks
        .length;
    while ((await checks()) < 2) await pause(1_000);
    await call("POST", "/uptime/monitors/pause", { id });
    return id;
  } finally {
    server.close();
  }
}

/** What is stored in PostgreSQL alone. */
async function addSettings(call: ApiClient, websiteId: string): Promise<void> {
  const signup = { kind: "event", value: "signup", revenue: { property: "seats" } };
  const funnel = [
    { kind: "page", value: "/pricing" },
    { kind: "event", value: "signup" },
  ];
  await call("POST", "/websites/update", { id: websiteId, goals: { goals: [signup], funnel } });
  await call("POST", "/uptime/channels/create", { name: "Hook", kind: "webhook", target: "https://hooks.example/x" });
  await call("POST", "/uptime/status-pages/create", { websiteId, slug: "fixture", title: "Shop", published: true });
  const window = { title: "Update", startsAt: "2027-01-05T01:00:00Z", endsAt: "2027-01-05T02:00:00Z" };
  await call("POST", "/uptime/maintenance/create", { websiteId, ...window });
}

async function eraseDay(call: ApiClient, websiteId: string): Promise<string> {
  const asked = { start_date: "2026-09-03", end_date: "2026-09-03", data_types: ["events", "sessions", "aggregated"] };
  const { deletion_id: id } = (await call("DELETE", `/v1/websites/${websiteId}/data`, asked)) as {
    deletion_id: string;
  };
  const status = async () => ((await call("GET", `/v1/deletions/${id}`)) as { status: string }).status;
  while ((await status()) !== "completed") await pause(1_000);
  return id;
}
