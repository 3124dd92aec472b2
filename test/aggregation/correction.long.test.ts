import { randomUUID } from "node:crypto";
import type { Client } from "@temporalio/client";
import pg from "pg";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { TouchedDays } from "../../src/aggregation/touchedDays.ts";
import { readConfig } from "../../src/config.ts";
import { createMetrics } from "../../src/observability/metrics.ts";
import { QuestdbReader } from "../../src/store/questdb/questdbReader.ts";
import { sessionPlaceUs } from "../../src/store/questdb/sessionPlace.ts";
import type { TableRow } from "../../src/store/questdb/tables.ts";
import { RowWriter } from "../../src/store/write/rowWriter.ts";
import { countWithDuckdb } from "../aggregation/duckdbOracle.ts";
import { generateRows } from "../aggregation/generatedEvents.ts";
import { readStoredRecords } from "../aggregation/storedRecords.ts";
import { send } from "../kit/calls/request.ts";
import { createWebsite } from "../kit/calls/website.ts";
import { makeNamespace, startWorker, stopWorker, type WorkerProcess } from "../kit/stack/workerProcess.ts";
import { isApplied } from "../kit/stores/eventStore.ts";
import { noonDaysAgo } from "../kit/stores/noonDaysAgo.ts";

const lookout = inject("lookout");

let client: Client;
let namespace: string;
let removeNamespace: () => Promise<void>;
let workers: WorkerProcess[] = [];
let postgres: pg.Pool;
let questdb: QuestdbReader;
let rows: RowWriter;

beforeAll(async () => {
  ({ client, namespace, remove: removeNamespace } = await makeNamespace(lookout.temporalAddress));
  const { questdb: settings } = readConfig({ QUESTDB_HTTP: lookout.questdbHttp, QUESTDB_PG: lookout.questdbPg });
  postgres = new pg.Pool({ connectionString: lookout.databaseUrl, max: 2 });
  questdb = new QuestdbReader(settings);
  const touchedDays = new TouchedDays(postgres);
  rows = new RowWriter(settings, createMetrics(), pino({ level: "silent" }), { steps: [touchedDays.beforeCommit] });
  await startWorkers();
});

afterAll(async () => {
  await Promise.all(workers.map((worker) => stopWorker(worker, "SIGTERM")));
  await rows.close();
  await Promise.all([removeNamespace?.(), postgres.end(), questdb.close()]);
});

async function startWorkers(): Promise<void> {
  const started = [startWorker(lookout, namespace), startWorker(lookout, namespace)];
  workers = started;
  await Promise.all(started.map(({ isReady }) => isReady));
}

/** Starts a run as an operator would, in addition to the Schedule's. */
const correctNow = () =>
  client.workflow.start("correction", { workflowId: `correction/${randomUUID()}`, taskQueue: "lookout", args: [] });

/** JSON texts with sorted lists and fields. */
function normal(texts: readonly string[]): string[] {
  const sorted = (record: Record<string, unknown>) => Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));
  return texts.map((text) => JSON.stringify(sorted(JSON.parse(text)))).sort();
}

async function becomeRight(websiteIds: readonly string[], accepted: readonly TableRow[]): Promise<void> {
  const expected = await countWithDuckdb(accepted);
  const wanted = { sessions: normal(expected.sessions), aggregates: normal(expected.aggregates) };
  expect(wanted.sessions.length).toBeGreaterThan(100);
  await expect
    .poll(
      async () => {
        const stored = await readStoredRecords(questdb, websiteIds);
        return { sessions: normal(stored.sessions), aggregates: normal(stored.aggregates) };
      },
      { timeout: 200_000, interval: 500 },
    )
    .toEqual(wanted);
}

describe("Session and daily aggregation records (2) follow the events", () => {
  it("that the API accepts, split by 30 minutes without activity, even if the session id stays (8)", async () => {
    const { websiteId, apiKey } = await createWebsite();
    const startMs = Date.now() - 3 * 3_600_000;
    const view = (minutes: number, path: string) => ({
      type: "track",
      payload: {
        eventId: randomUUID(),
        name: "page_view",
        anonymousId: "v",
        sessionId: "s",
        sessionStartTime: startMs,
        timestamp: startMs + minutes * 60_000,
        path: `https://example.com${path}`,
        title: "Page",
        referrer: "",
        screen_resolution: "1920x1080",
        viewport_size: "1420x880",
        timezone: "Europe/Berlin",
        language: "de-DE",
      },
    });
    const batch = (...body: unknown[]) => send("POST", `/batch?website_id=${websiteId}`, { apiKey, body });
    const sessions = async () => {
      const { sessions: texts } = await readStoredRecords(questdb, [websiteId]);
      return texts.map((text) => JSON.parse(text)).sort((a, b) => a.start - b.start);
    };
    expect((await batch(view(0, "/a"), view(10, "/b"), view(45, "/c"))).status).toBe(200);
    await correctNow();
    await expect.poll(sessions, { timeout: 200_000, interval: 500 }).toMatchObject([
      { session_id: "s", anonymous_id: "v", start: startMs * 1_000, pages: 2, seconds: 600, entry: "/a", exit: "/b" },
      {
        session_id: "s",
        anonymous_id: "v",
        start: (startMs + 45 * 60_000) * 1_000,
        pages: 1,
        seconds: 0,
        entry: "/c",
        exit: "/c",
      },
    ]);
    // Joins the two.
    expect((await batch(view(30, "/late"))).status).toBe(200);
    await correctNow();
    await expect
      .poll(sessions, { timeout: 200_000, interval: 500 })
      .toMatchObject([{ start: startMs * 1_000, pages: 4, seconds: 2_700, entry: "/a", exit: "/c" }]);
  }, 600_000);

  it("even if all workers are killed during the correction", async () => {
    const websiteIds = Array.from({ length: 20 }, () => randomUUID());
    const accepted = generateRows(11, websiteIds, noonDaysAgo(10) - 43_200_000, 2, 4_000);
    await rows.write(accepted);
    await correctNow();
    const isStarted = async () => (await readStoredRecords(questdb, websiteIds)).sessions.length > 0;
    await expect.poll(isStarted, { timeout: 200_000, interval: 10 }).toBe(true);
    await Promise.all(workers.map((worker) => stopWorker(worker, "SIGKILL")));
    await startWorkers();
    await correctNow();
    await becomeRight(websiteIds, accepted);
  }, 600_000);
});

describe("Session and daily aggregation records (2) of days past the retention of their events (8)", {
  timeout: 400_000,
}, () => {
  it.each([
    ["the service's own", null, null, 91, '"pages":2'],
    ["the website's", 30, null, 31, '"pages":2'],
    ["that of custom events: sessions are made of what is left, records", 365, 10, 11, '"pages":1'],
  ])("%s are not changed by a late event of the day", async (_whose, rawDays, customDays, ageDays, session) => {
    const { websiteId } = await createWebsite();
    const periods = "UPDATE websites SET raw_events_days = $2, custom_events_days = $3 WHERE id = $1";
    await postgres.query(periods, [websiteId, rawDays, customDays]);
    const dayMs = noonDaysAgo(ageDays) - 43_200_000;
    const day = new Date(dayMs).toISOString().slice(0, 10);
    const record = { website_id: websiteId, page: "/", total_views: 7, unique_visitors: 3, avg_duration_seconds: 2 };
    const startUs = dayMs * 1_000;
    const stored = {
      website_id: websiteId,
      session_key: 5,
      started: startUs,
      last_activity_ms: dayMs,
      page_count: 2,
    };
    await rows.write([
      { table: "daily_aggregates", tsUs: dayMs * 1_000, values: { ...record, bounce_rate: 0, top_referrers: "[]" } },
      {
        table: "sessions",
        tsUs: sessionPlaceUs(websiteId, startUs),
        values: { ...stored, duration_seconds: 1 },
      },
      {
        table: "events",
        tsUs: (dayMs + 3_600_000) * 1_000,
        values: { website_id: websiteId, event_key: 1, event_type: "page_view", session_key: 6, path: "/" },
      },
    ]);
    await isApplied(lookout.questdbHttp);
    const isDone = async () => {
      await (await correctNow()).result();
      const sql = "SELECT processed_at FROM touched_days WHERE website_id = $1";
      return (await postgres.query<{ processed_at: Date | null }>(sql, [websiteId])).rows[0]?.processed_at !== null;
    };
    await expect.poll(isDone, { timeout: 200_000 }).toBe(true);
    await client.workflow.execute("dailyAggregation", {
      workflowId: `daily-aggregation/${randomUUID()}`,
      taskQueue: "lookout",
      args: [{ day }],
    });
    await isApplied(lookout.questdbHttp);
    expect(await readStoredRecords(questdb, [websiteId])).toEqual({
      sessions: [expect.stringContaining(session)],
      aggregates: [expect.stringContaining('"views":7')],
    });
  });
});

describe("The Schedule of the correction", () => {
  it("runs each minute, one run at a time", async () => {
    const { spec, policies } = await client.schedule.getHandle("correction").describe();
    expect(spec.intervals).toMatchObject([{ every: 60_000 }]);
    expect(policies.overlap).toBe("SKIP");
  });
});
