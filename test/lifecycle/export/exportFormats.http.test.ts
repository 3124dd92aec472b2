import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { QuestdbReader } from "../../../src/store/questdb/questdbReader.ts";
import { createWebsite, type TestWebsite } from "../../kit/calls/website.ts";
import { noonDaysAgo } from "../../kit/stores/noonDaysAgo.ts";
import { insertRows } from "../../kit/stores/sampleRows.ts";
import { openQuestdb } from "../../kit/stores/testQuestdb.ts";
import { download, ended, start } from "./exportCalls.ts";
import { type ExportedRow, expectSameRows, type Kinds, readExported } from "./exportedRows.ts";
import { eventKinds, insertEvents, sourceEvents } from "./exportSource.ts";

const dayMs = 86_400_000;
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** Midnight UTC, some days ago. */
const firstMs = noonDaysAgo(20) - dayMs / 2;

const linkKinds: Kinds = {
  event_id: "text",
  website_id: "text",
  anonymous_id: "text",
  session_id: "text",
  timestamp: "timestamp",
  path: "text",
  href: "text",
  text: "text",
  properties: "json",
};

const sessionKinds: Kinds = {
  session_id: "text",
  website_id: "text",
  anonymous_id: "text",
  start_time: "timestamp",
  last_activity: "timestamp",
  page_count: "integer",
  duration_seconds: "number",
  entry_page: "text",
  exit_page: "text",
  utm_source: "text",
  utm_campaign: "text",
  country: "text",
};

const aggregateKinds: Kinds = {
  date: "date",
  website_id: "text",
  page: "text",
  total_views: "integer",
  unique_visitors: "integer",
  avg_duration_seconds: "number",
  bounce_rate: "number",
  top_referrers: "json",
};

let questdb: QuestdbReader;
let website: TestWebsite;
let other: TestWebsite;
let events: ExportedRow[];
const links: ExportedRow[] = [];
const sessions: ExportedRow[] = [];
const aggregates: ExportedRow[] = [];

beforeAll(async () => {
  questdb = openQuestdb();
  [website, other] = await Promise.all([createWebsite(), createWebsite()]);
  const { websiteId } = website;
  events = sourceEvents(1_200, websiteId, firstMs, 500_000);
  const link = {
    event_id: "link",
    anonymous_id: null,
    session_id: "s",
    path: "/päge",
    href: "https://other.example/?a=b",
    text: "=1+1",
  };
  links.push({ ...link, website_id: websiteId, timestamp: firstMs + 5, properties: { place: ["footer"] } });
  const session = {
    session_id: "s 😀",
    anonymous_id: null,
    page_count: 3,
    duration_seconds: 61.5,
    entry_page: "/a",
    exit_page: "/b",
    utm_source: "news",
    utm_campaign: null,
    country: "DE",
  };
  sessions.push({ ...session, website_id: websiteId, start_time: firstMs, last_activity: firstMs + 61_500 });
  const record = { total_views: 4, unique_visitors: 2, avg_duration_seconds: 12.25, bounce_rate: 0.5 };
  const top = [{ source: "google.com", count: 3 }];
  aggregates.push({ date: dayOf(firstMs), website_id: websiteId, page: "/ü", ...record, top_referrers: top });
  await Promise.all([
    insertEvents(questdb, events, websiteId),
    insertEvents(questdb, sourceEvents(10, other.websiteId, firstMs, 300_000), other.websiteId),
    insertRows(
      questdb,
      "outgoing_links",
      [{ tsMs: firstMs + 5, ...link, properties: '{"place":["footer"]}' }],
      websiteId,
    ),
    ...[
      { ...session, session_key: 1, last_activity_ms: firstMs + 61_500, tsMs: firstMs },
      // Removed records, as erasures and corrections leave them.
      { tsMs: firstMs + 1, session_key: 2, session_id: null },
    ].map((row) => insertRow("sessions", { ...row, started: new Date(row.tsMs).toISOString() })),
    ...[
      { tsMs: firstMs, page: "/ü", ...record, top_referrers: JSON.stringify(top) },
      { tsMs: firstMs, page: "/gone", total_views: 0, unique_visitors: 0 },
    ].map((row) => insertRow("daily_aggregates", row)),
  ]);
});
afterAll(async () => await questdb?.close());

/** These tables have no event keys. */
async function insertRow(
  table: string,
  { tsMs, ...row }: { tsMs: number; [column: string]: string | number | null },
): Promise<void> {
  const columns = { ts: new Date(tsMs).toISOString(), website_id: website.websiteId, ...row };
  const names = Object.keys(columns);
  await questdb.read(
    `INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map((_, index) => `$${index + 1}`).join(", ")})`,
    Object.values(columns),
  );
}

type Manifest = {
  rows: number;
  files: { name: string; rows: number; bytes: number; sha256: string; columns: { name: string; type: string }[] }[];
};

const days = { start_date: dayOf(firstMs), end_date: dayOf(firstMs + 2 * dayMs) };

describe("4.18: an export read back with DuckDB", () => {
  test.for([
    { format: "csv", extension: "csv", timestamp: "ISO 8601 time, UTC" },
    { format: "json", extension: "ndjson", timestamp: "number, Unix milliseconds" },
    { format: "parquet", extension: "parquet", timestamp: "TIMESTAMP(MILLIS, UTC)" },
  ])(
    "$format holds exactly the website's rows of these days, in order, and its manifest is right",
    async ({ format, extension, timestamp }) => {
      const request = { ...days, format, data_types: ["aggregated", "events", "sessions"] };
      const files = await download(await ended(await start(website.websiteId, request, website), website));
      const read = (name: string, kinds: Kinds) =>
        readExported(`${name}.${extension}`, files.get(`${name}.${extension}`) ?? Buffer.alloc(0), kinds);

      const shownEvents = events.filter((event) => Number(event["timestamp"]) < firstMs + 3 * dayMs);
      expect(shownEvents.length).toBeLessThan(events.length);
      expectSameRows(await read("events", eventKinds), shownEvents);
      expect(await read("outgoing_links", linkKinds)).toEqual(links);
      expect(await read("sessions", sessionKinds)).toEqual(sessions);
      expect(await read("aggregated", aggregateKinds)).toEqual(aggregates);

      const manifest: Manifest = JSON.parse(String(files.get("manifest.json")));
      expect(manifest).toMatchObject({
        website: { id: website.websiteId, domain: "example.com" },
        format,
        data_types: ["aggregated", "events", "sessions"],
        range: { ...days, time_zone: "UTC", from: new Date(firstMs).toISOString() },
        rows: shownEvents.length + 3,
      });
      const [eventsFile] = manifest.files;
      expect(eventsFile?.columns.map(({ name }) => name)).toEqual(Object.keys(eventKinds));
      expect(eventsFile?.columns).toContainEqual({ name: "timestamp", type: timestamp });
      const names = ["events", "outgoing_links", "sessions", "aggregated"].map((name) => `${name}.${extension}`);
      expect([...files.keys()]).toEqual([...names, "manifest.json"]);
      expect(manifest.files.map(({ name, bytes, sha256 }) => ({ name, bytes, sha256 }))).toEqual(
        names.map((name) => {
          const bytes = files.get(name) ?? Buffer.alloc(0);
          return { name, bytes: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") };
        }),
      );
      expect(manifest.files.map(({ rows }) => rows)).toEqual([shownEvents.length, 1, 1, 1]);
    },
  );

  test("CSV is RFC 4180; text that begins like a formula does not run in a spreadsheet", async () => {
    const shown = await ended(await start(website.websiteId, days, website), website);
    const text = String((await download(shown)).get("events.csv"));
    expect(text.startsWith("event_id,event_type,name,website_id,")).toBe(true);
    expect(text.endsWith("\r\n")).toBe(true);
    expect(text).toMatch(/,'=HYPERLINK\(1\),/);
    expect(text).toMatch(/,''=already,/);
    expect(text, "no field").not.toMatch(/(^|,)"?[=@＝]/m);
    expect(text).toContain(',"He said ""hi"", then left",');
  });

  test.for(["csv", "json", "parquet"])("%s without a row is a valid archive too", async (format) => {
    const request = { start_date: "2001-01-01", end_date: "2001-01-02", format, data_types: ["events", "sessions"] };
    const shown = await ended(await start(website.websiteId, request, website), website);
    const files = await download(shown);
    const extension = format === "json" ? "ndjson" : format;
    const events = files.get(`events.${extension}`);
    if (format !== "json")
      expect(await readExported(`e.${extension}`, events ?? Buffer.alloc(0), eventKinds)).toEqual([]);
    else expect(events).toHaveLength(0);
    expect(JSON.parse(String(files.get("manifest.json")))).toMatchObject({ rows: 0, files: [{}, {}, {}] });
  });

  test("days are those of the website's time zone, also across a clock change", async () => {
    const there = await createWebsite({ timezone: "America/New_York" });
    const at = (text: string, id: string): ExportedRow => ({
      ...Object.fromEntries(Object.keys(eventKinds).map((name) => [name, null])),
      event_id: id,
      website_id: there.websiteId,
      timestamp: Date.parse(text),
    });
    // On 2 November 2025 clocks went back: that day lasted from 04:00 UTC to 05:00 UTC of the next.
    await insertEvents(
      questdb,
      [
        at("2025-11-02T03:59:59.999Z", "before"),
        at("2025-11-02T04:00:00Z", "first"),
        at("2025-11-03T04:59:59.999Z", "last"),
        at("2025-11-03T05:00:00Z", "after"),
      ],
      there.websiteId,
    );
    const request = { start_date: "2025-11-02", end_date: "2025-11-02", format: "json" };
    const files = await download(await ended(await start(there.websiteId, request, there), there));
    const rows = await readExported("events.ndjson", files.get("events.ndjson") ?? Buffer.alloc(0), eventKinds);
    expect(rows.map((row) => row["event_id"])).toEqual(["first", "last"]);
  });
});
