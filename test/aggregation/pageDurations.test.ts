import { randomUUID } from "node:crypto";
import { pino } from "pino";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { readPageStatistics } from "../../src/aggregation/pageStatistics.ts";
import { correctSessions } from "../../src/aggregation/storedSessions.ts";
import { readConfig } from "../../src/config.ts";
import { createMetrics } from "../../src/observability/metrics.ts";
import { QuestdbReader } from "../../src/store/questdb/questdbReader.ts";
import type { RowValues, TableRow } from "../../src/store/questdb/tables.ts";
import { RowWriter } from "../../src/store/write/rowWriter.ts";
import { someDays } from "../kit/random/randomEventRows.ts";
import { isApplied } from "../kit/stores/eventStore.ts";

let questdb: QuestdbReader;
let rows: RowWriter;

beforeAll(() => {
  const { questdbHttp, questdbPg } = inject("lookout");
  const { questdb: settings } = readConfig({ QUESTDB_HTTP: questdbHttp, QUESTDB_PG: questdbPg });
  questdb = new QuestdbReader(settings);
  rows = new RowWriter(settings, createMetrics(), pino({ level: "silent" }));
});

afterAll(async () => {
  await rows.close();
  await questdb.close();
});

type EventValues = Pick<RowValues<"events">, "event_type" | "path" | "session_key" | "time_on_page_ms">;

/** Average durations by page; each event is a minute after the one before unless it has `minutes`. */
async function averageSeconds(
  events: readonly (EventValues & { minutes?: number })[],
): Promise<Record<string, number>> {
  const websiteId = randomUUID();
  const [day = ""] = someDays(1);
  let minute = 0;
  const list = events.map(({ minutes = 1, ...values }, index): TableRow => {
    minute += minutes;
    const tsUs = (Date.parse(`${day}T01:00:00Z`) + minute * 60_000) * 1_000;
    return { table: "events", tsUs, values: { website_id: websiteId, event_key: index, visitor_key: 1, ...values } };
  });
  await rows.write(list);
  await isApplied(inject("lookout").questdbHttp);
  await correctSessions({ questdb, rows }, websiteId, day, new AbortController().signal);
  const found = await readPageStatistics(questdb, { websiteId, day, after: null, limit: 10 });
  return Object.fromEntries(found.map(({ page, avgDurationSeconds }) => [page, avgDurationSeconds]));
}

const view = (path: string, session_key: number | undefined): EventValues => ({
  event_type: "page_view",
  path,
  session_key,
});
const exit = (path: string, session_key: number | undefined, seconds: number): EventValues => ({
  ...view(path, session_key),
  event_type: "page_exit",
  time_on_page_ms: seconds * 1_000,
});

test("2: of the times a session reports for a page only the longest counts, in any order", async () => {
  const events = [view("/", 1), exit("/", 1, 10), exit("/", 1, 60), exit("/", 1, 30), view("/", 2), exit("/", 2, 20)];
  expect(await averageSeconds(events)).toEqual({ "/": 40 });
});

test("2: each page of a session has its own time", async () => {
  const events = [view("/a", 1), exit("/a", 1, 10), exit("/a", 1, 20), view("/b", 1), exit("/b", 1, 6), view("/c", 1)];
  expect(await averageSeconds(events)).toEqual({ "/a": 20, "/b": 6, "/c": 0 });
});

test("2: 30 minutes without activity start another session, with its own times", async () => {
  const events = [view("/", 1), exit("/", 1, 10), { ...view("/", 1), minutes: 30 }, exit("/", 1, 20)];
  expect(await averageSeconds(events)).toEqual({ "/": 15 });
});

test("2: a page exit without a session counts separately, and a page with an exit only is no page", async () => {
  const events = [view("/", 1), exit("/", undefined, 10), exit("/", undefined, 30), exit("/only-left", 1, 5)];
  expect(await averageSeconds(events)).toEqual({ "/": 20 });
});
