/**
 * `node bench/ingest/run.ts [seconds] [part of a case's name]`: what one API process takes in and keeps, as JSON, on a stack of its own. Beside it in the same
 * run: the same server whose store takes all and keeps nothing, and QuestDB fed with ready-made bodies.
 *
 * All share the machine with the loader, as in production with the other processes. CPU is that of the API process alone.
 */
import { randomUUID } from "node:crypto";
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { readConfig } from "../../src/config.ts";
import { lineOf } from "../../src/store/lineProtocol.ts";
import { QuestdbReader } from "../../src/store/questdbReader.ts";
import { type Stack, startStack } from "../../stack/stack.ts";
import { type LoadResult, runLoad } from "./load.ts";
import { pageView } from "./pageView.ts";

const seconds = Number(process.argv[2] ?? 15);
const only = process.argv[3] ?? "";
const cases = [
  { name: "batches of 100", batchEvents: 100, connections: 24, target: 15_000 },
  {
    name: "batches of 100 with a load time, so two rows an event",
    batchEvents: 100,
    connections: 24,
    loadTime: 1_234.5,
  },
  { name: "single events", batchEvents: 1, connections: 64, target: 2_500 },
];
/** Same script as the product's, but rows go nowhere. */
const discardingApi = "bench/ingest/discardingApi.ts";

const results = [];
for (const { name, target, ...load } of cases.filter((each) => each.name.includes(only))) {
  const durable = await withStack(undefined, (stack) => measureApi(stack, load, true));
  const discarded = await withStack(discardingApi, (stack) => measureApi(stack, load, false));
  const { eventsPerSecond } = durable;
  results.push({
    case: name,
    durable,
    discarded,
    shareOfDiscarding: round(eventsPerSecond / discarded.eventsPerSecond, 2),
    ...(target === undefined ? {} : { target, met: eventsPerSecond >= target }),
  });
}
const ready = await withStack(undefined, measureQuestdb);
console.log(
  JSON.stringify(
    { benchmark: "ingest", node: process.version, cores: cpus().length, seconds, results, questdbReadyMade: ready },
    null,
    2,
  ),
);

async function withStack<T>(api: string | undefined, work: (stack: Stack) => Promise<T>): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), "lookout-bench-"));
  // PostgreSQL may run as another user, who has to pass.
  await chmod(dataDir, 0o711);
  const config = readConfig({ ...process.env, DATA_DIR: dataDir, PORT: "0", BASE_URL: undefined, LOG_LEVEL: "warn" });
  const stack = await startStack({
    config,
    log: (line) => console.error(line),
    parts: ["questdb", "postgres", "api"],
    preferUsualPorts: false,
    ...(api === undefined ? {} : { scripts: { api } }),
  });
  try {
    return await work(stack);
  } finally {
    await stack.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

type LoadShape = { batchEvents: number; connections: number; loadTime?: number };

async function measureApi(stack: Stack, { batchEvents, connections, loadTime }: LoadShape, isStored: boolean) {
  const { websiteId }: { websiteId: string } = JSON.parse(
    await readFile(join(stack.config.stack.dataDir, "credentials.json"), "utf8"),
  );
  const base = stack.config.server.baseUrl;
  const url = `${base}${batchEvents === 1 ? "/" : "/batch"}?website_id=${websiteId}`;
  let sent = 0;
  const next = () => {
    const events = Array.from({ length: batchEvents }, () => {
      sent += 1;
      return pageView({
        eventId: randomUUID(),
        timestamp: Date.now(),
        visitor: sent % 997,
        ...(loadTime === undefined ? {} : { loadTime }),
      });
    });
    return JSON.stringify(batchEvents === 1 ? events[0]?.payload : events);
  };
  const shape = { url, connections, next, accepts: (text: string) => !text.includes('"status":"error"') };
  const warm = await runLoad({ ...shape, seconds: Math.min(5, seconds) });
  const before = await processFigures(base);
  const load = await runLoad({ ...shape, seconds });
  const after = await processFigures(base);
  const events = load.answers * batchEvents;
  const lag = isStored ? await checkStored(stack, websiteId, (load.answers + warm.answers) * batchEvents) : undefined;
  return {
    eventsPerSecond: Math.round(events / load.seconds),
    requestsPerSecond: Math.round(load.answers / load.seconds),
    errors: load.errors,
    acknowledgementMs: latencies(load),
    apiCpuUsPerEvent: round(((after.cpuSeconds - before.cpuSeconds) / events) * 1e6, 1),
    apiMemoryMb: { before: before.memoryMb, after: after.memoryMb },
    spoolRowsAtEnd: after.spoolRows,
    ...lag,
  };
}

/** Waits until all is visible, then sends an event at a time to see how long each takes to be found. */
async function checkStored(stack: Stack, websiteId: string, expected: number) {
  const reader = new QuestdbReader(stack.config.questdb);
  const count = async (eventId?: string) => {
    const [row] = await reader.read(
      `SELECT count() AS n FROM events WHERE website_id = $1${eventId === undefined ? "" : " AND ts > dateadd('h', -1, now()) AND event_id = $2"}`,
      eventId === undefined ? [websiteId] : [websiteId, eventId],
    );
    return Number(row?.["n"]);
  };
  try {
    const since = performance.now();
    let stored = await count();
    while (stored < expected && performance.now() - since < 60_000) {
      await pause(50);
      stored = await count();
    }
    const caughtUpMs = Math.round(performance.now() - since);
    const lags: number[] = [];
    for (let probe = 0; probe < 20; probe += 1) {
      const eventId = randomUUID();
      const { payload } = pageView({ eventId, timestamp: Date.now() });
      await fetch(`${stack.config.server.baseUrl}/?website_id=${websiteId}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(payload),
      });
      const acknowledged = performance.now();
      while ((await count(eventId)) === 0 && performance.now() - acknowledged < 10_000) await pause(2);
      lags.push(performance.now() - acknowledged);
    }
    lags.sort((a, b) => a - b);
    return {
      stored,
      allStored: stored === expected,
      caughtUpMs,
      visibilityLagMs: { p50: round(at(lags, 0.5), 1), max: round(at(lags, 1), 1) },
    };
  } finally {
    await reader.close();
  }
}

/** QuestDB alone, with bodies of 1,000 rows that were made before. */
async function measureQuestdb(stack: Stack) {
  const { questdb } = stack.config;
  const address = new URL(questdb.http);
  const authorization = `Basic ${btoa(`${address.username}:${address.password}`)}`;
  const startUs = Date.now() * 1_000;
  const bodies = Array.from({ length: 200 }, (_, body) =>
    Array.from({ length: 1_000 }, (_, row) => exampleLine(startUs, body * 1_000 + row)).join(""),
  );
  let sent = 0;
  const load = await runLoad({
    url: `${address.origin}/write?precision=n`,
    connections: 1,
    headers: { authorization, "content-type": "text/plain" },
    // A second body with the same rows would be deduplicated, which costs something else.
    next: () =>
      (bodies[sent % bodies.length] ?? "").replaceAll("key=1", `key=${1 + Math.floor(sent++ / bodies.length)}`),
    seconds,
    status: 204,
  });
  const sentRows = load.answers * 1_000;
  const stored = await storedOf(stack, "3f2b6c1e-8a4d-4c57-9b1f-2d7e5a9c0b11", sentRows);
  return {
    rowsPerSecond: Math.round(sentRows / load.seconds),
    errors: load.errors,
    acknowledgementMs: latencies(load),
    stored,
    allStored: stored === sentRows,
  };
}

/** Rows of a website in `events`, once all are visible or a minute has passed. */
async function storedOf(stack: Stack, websiteId: string, expected: number): Promise<number> {
  const reader = new QuestdbReader(stack.config.questdb);
  try {
    for (const sinceMs = performance.now(); ; await pause(50)) {
      const [row] = await reader.read("SELECT count() AS n FROM events WHERE website_id = $1", [websiteId]);
      const stored = Number(row?.["n"]);
      if (stored >= expected || performance.now() - sinceMs > 60_000) return stored;
    }
  } finally {
    await reader.close();
  }
}

function exampleLine(startUs: number, row: number): string {
  const { payload } = pageView({ timestamp: 0 });
  const line = lineOf({
    table: "events",
    tsUs: startUs + row * 1_000,
    values: {
      website_id: "3f2b6c1e-8a4d-4c57-9b1f-2d7e5a9c0b11",
      event_key: 1_000_000_000 + row,
      event_type: "page_view",
      name: payload.name,
      visitor_key: row % 997,
      session_key: row % 997,
      event_id: randomUUID(),
      anonymous_id: payload.anonymousId,
      session_id: payload.sessionId,
      path: payload.path,
      title: payload.title,
      referrer: payload.referrer,
      referrer_source: "google.com",
      screen: payload.screen_resolution,
      viewport: payload.viewport_size,
      language: payload.language,
      timezone: payload.timezone,
      browser: "Chrome",
      os: "Linux",
      device: "desktop",
      connection: payload.connection_type,
      rtt_ms: payload.rtt,
      downlink_mbps: payload.downlink,
      utm_source: payload.utm_source,
      utm_medium: payload.utm_medium,
      utm_campaign: payload.utm_campaign,
      time_on_page_ms: payload.time_on_page,
      scroll_depth_percent: payload.scroll_depth,
      interaction_count: payload.interaction_count,
      page_count: payload.page_count,
    },
  });
  return line ?? "";
}

async function processFigures(base: string): Promise<{ cpuSeconds: number; memoryMb: number; spoolRows: number }> {
  const text = await (await fetch(`${base}/metrics`)).text();
  const figure = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]);
  return {
    cpuSeconds: figure("process_cpu_seconds_total"),
    memoryMb: Math.round(figure("process_resident_memory_bytes") / 1e6),
    spoolRows: figure("lookout_spool_rows"),
  };
}

function latencies({ latenciesMs }: LoadResult) {
  const sorted = latenciesMs.toSorted((a, b) => a - b);
  return { p50: round(at(sorted, 0.5), 1), p99: round(at(sorted, 0.99), 1), max: round(at(sorted, 1), 1) };
}

function at(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
