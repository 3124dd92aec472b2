import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import type { QuestdbReader } from "../../../src/store/questdb/questdbReader.ts";
import { columnsOfTable, type TableName, tableNames } from "../../../src/store/questdb/tables.ts";
import { correctNow, countsOf, dayOf, receiptOf, startErasure } from "../../kit/calls/erasureCalls.ts";
import { send } from "../../kit/calls/request.ts";
import { createWebsite, type TestWebsite } from "../../kit/calls/website.ts";
import { pageView, sendEvents } from "../../kit/calls/websiteCalls.ts";
import { noonDaysAgo } from "../../kit/stores/noonDaysAgo.ts";
import { storedRows } from "../../kit/stores/storedRows.ts";
import { openQuestdb } from "../../kit/stores/testQuestdb.ts";

const run = promisify(execFile);

let questdb: QuestdbReader;
beforeAll(() => {
  questdb = openQuestdb();
});
afterAll(() => questdb.close());

const firstMs = noonDaysAgo(5);
const lastMs = noonDaysAgo(3);
const everyType = ["events", "sessions", "performance", "aggregated", "errors", "outgoing_links", "uptime"];

/** Sends every kind of item of a website, with a unique text in each text field. */
async function sendMarked({ websiteId, apiKey }: TestWebsite, marker: string, atMs: number): Promise<void> {
  const m = (field: string) => `${marker}-${field}-${atMs}`;
  const who = { anonymousId: m("visitor"), sessionId: m("session"), timestamp: atMs };
  const track = {
    ...who,
    eventId: m("event"),
    name: "page_view",
    sessionStartTime: atMs,
    path: `/${m("path")}`,
    title: m("title"),
    referrer: `https://${marker.toLowerCase()}.example/${m("referrer")}`,
    screen_resolution: "1920x1080",
    viewport_size: "1280x720",
    timezone: "Europe/Berlin",
    language: m("language").slice(0, 60),
    utm_source: m("source"),
    utm_medium: m("medium"),
    utm_campaign: m("campaign"),
    utm_term: m("term"),
    utm_content: m("content"),
    load_time: 120,
    ttfb: 20,
  };
  const custom = { ...track, eventId: m("custom"), name: m("name"), properties: { [m("key")]: m("value") } };
  const link = {
    ...who,
    eventId: m("link"),
    href: `https://${m("href")}.example/`,
    text: m("text"),
    properties: { a: m("b") },
  };
  const batch = [
    { type: "track", payload: track },
    { type: "track", payload: custom },
    { type: "outgoing_link", payload: link },
  ];
  const query = `website_id=${websiteId}`;
  const sent = [
    send("POST", `/batch?${query}`, { body: batch }),
    send("POST", `/track?${query}`, {
      apiKey,
      body: [{ name: m("tracked"), ...who, eventId: m("tracked"), properties: { k: m("v") } }],
    }),
    send("POST", `/vitals?${query}`, {
      body: [{ ...who, eventId: m("vital"), path: `/${m("vital")}`, metricName: "LCP", metricValue: 1_200 }],
    }),
    send("POST", `/errors?${query}`, {
      body: [
        {
          ...who,
          eventId: m("error"),
          path: `/${m("page")}`,
          message: m("message"),
          filename: `https://x.example/${m("file")}.js`,
          stack: m("stack"),
          errorType: m("type"),
        },
      ],
    }),
    send("POST", `/llm?${query}`, {
      apiKey,
      body: [
        {
          eventId: m("llm"),
          timestamp: atMs,
          provider: m("provider"),
          model: m("model"),
          type: m("call"),
          finishReason: m("finish"),
          traceId: m("trace"),
          tools: { names: [m("tool")] },
          error: { name: m("errname"), message: m("errmsg"), stack: m("errstack") },
        },
      ],
    }),
  ];
  for (const { status, body } of await Promise.all(sent)) {
    expect(JSON.stringify(body)).not.toContain('"status":"error"');
    expect(status).toBe(200);
  }
}

async function countOf(table: TableName, websiteId: string): Promise<number> {
  const live = table === "sessions" ? " AND last_activity_ms IS NOT NULL" : "";
  const [row] = await questdb.read(`SELECT count() "rows" FROM ${table} WHERE website_id = $1${live}`, [websiteId]);
  return Number(row?.["rows"]);
}

/** Rows of any website that hold a text in one of their columns. */
async function rowsWith(marker: string): Promise<string[]> {
  const found: string[] = [];
  for (const table of tableNames)
    for (const [column, kind] of Object.entries(columnsOfTable[table])) {
      if (kind !== "VARCHAR" && kind !== "SYMBOL") continue;
      const sql = `SELECT count() "rows" FROM ${table} WHERE ${column}::varchar LIKE $1`;
      const [row] = await questdb.read(sql, [`%${marker}%`]);
      if (Number(row?.["rows"]) > 0) found.push(`${table}.${column}`);
    }
  return found;
}

/** Files that hold a text, in any encoding that text has on disk here. */
async function filesWith(marker: string): Promise<string[]> {
  const { dataDir } = inject("lookout");
  const below = ["questdb/db", "log", "exports"].map((name) => join(dataDir, name));
  const { stdout } = await run("grep", ["-rlaiF", marker, ...below], { maxBuffer: 10_000_000 }).catch((error) => error);
  return String(stdout).split("\n").filter(Boolean);
}

test("4.17: erased rows are in no answer, table or file, and other data never changed meanwhile", {
  timeout: 240_000,
}, async () => {
  const [site, other, busy] = await Promise.all([createWebsite(), createWebsite(), createWebsite()]);
  let isWatching = true;
  // A writer that is in use keeps the segment of its log, with the text that came before.
  const sending = (async () => {
    while (isWatching) {
      await sendEvents(busy.websiteId, [pageView({ timestamp: Date.now() })]);
      await pause(200);
    }
  })();
  const marker = `Mk${randomUUID().slice(0, 8)}`;
  const days = [firstMs, noonDaysAgo(4), lastMs];
  for (const atMs of days) await sendMarked(site, marker, atMs);
  const kept = `Kept${randomUUID().slice(0, 8)}`;
  for (const atMs of [...days, noonDaysAgo(1)]) await sendMarked(other, kept, atMs);
  await storedRows("events", site.websiteId, 9);
  await storedRows("events", other.websiteId, 12);
  await correctNow();
  await expect.poll(() => countOf("sessions", site.websiteId), { timeout: 200_000, interval: 500 }).toBe(3);
  await expect.poll(() => countOf("daily_aggregates", site.websiteId), { timeout: 200_000, interval: 500 }).toBe(3);
  // Made by the second correction of the days, which follows when their last events are settled.
  await expect
    .poll(() => countOf("daily_figures", site.websiteId), { timeout: 300_000, interval: 500 })
    .toBeGreaterThan(0);
  expect((await rowsWith(marker)).length).toBeGreaterThan(25);
  expect((await filesWith(marker)).length).toBeGreaterThan(25);

  const wavered: unknown[] = [];
  const watching = (async () => {
    while (isWatching) {
      for (const [table, count] of [
        ["events", 12],
        ["outgoing_links", 4],
        ["script_errors", 4],
        ["llm_calls", 4],
      ] as const) {
        const found = await countOf(table, other.websiteId);
        if (found !== count) wavered.push([table, found]);
      }
      await pause(50);
    }
  })();
  const { deletion_id: id, deleted } = await startErasure(site, {
    start_date: dayOf(firstMs),
    end_date: dayOf(lastMs),
    data_types: everyType,
  });
  expect(deleted).toEqual({
    events: 9,
    daily_figures: expect.any(Number),
    outgoing_links: 3,
    llm_calls: 3,
    sessions: 3,
    performance: 15,
    aggregated: 3,
    errors: 3,
    uptime: 0,
  });
  const receipt = await receiptOf(site, id);
  isWatching = false;
  await Promise.all([watching, sending]);
  expect(wavered).toEqual([]);
  expect(countsOf(receipt)).toEqual({
    events: [9, 0],
    outgoing_links: [3, 0],
    llm_calls: [3, 0],
    performance_metrics: [15, 0],
    script_errors: [3, 0],
    sessions: [3, 0],
    daily_aggregates: [3, 0],
    daily_figures: [expect.any(Number), 0],
    uptime_checks: [0, 0],
    excluded_traffic: [expect.any(Number), 0],
    incidents: [0, 0],
  });
  expect(receipt.days).toEqual(days.map(dayOf));
  expect(Date.parse(receipt.gone_at)).toBeGreaterThanOrEqual(Date.parse(receipt.unreadable_at));
  expect(await filesWith(marker)).toEqual([]);
  expect(await rowsWith(marker)).toEqual([]);
  // The three totals of each day stay as 0: they say that the day was counted.
  const left = (table: string) => (table === "daily_figures" ? 3 * days.length : 0);
  for (const table of tableNames) expect(await countOf(table, site.websiteId), table).toBe(left(table));
  expect((await rowsWith(kept)).length).toBeGreaterThan(25);

  // It can be sent again: the erasure is over, and its claims have been deleted.
  await sendMarked(site, "Again", firstMs);
  await storedRows("events", site.websiteId, 3);
});
