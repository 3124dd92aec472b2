import { randomUUID } from "node:crypto";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { aggregateWebsites, noProgress } from "../../src/aggregation/dailyAggregates.ts";
import { correctSessions } from "../../src/aggregation/storedSessions.ts";
import { readConfig } from "../../src/config.ts";
import { createMetrics } from "../../src/metrics.ts";
import { QuestdbReader } from "../../src/store/questdbReader.ts";
import { RowWriter } from "../../src/store/rowWriter.ts";
import type { TableRow } from "../../src/store/tables.ts";
import { isApplied } from "../workflows/eventStore.ts";
import { someDays } from "../workflows/randomEvents.ts";
import { countWithDuckdb } from "./duckdbOracle.ts";
import { generateRows, shuffled } from "./generatedEvents.ts";
import { readStoredRecords } from "./storedRecords.ts";

const eventCount = 100_000;
const dayMs = 86_400_000;
const { signal } = new AbortController();

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

/** Stores rows as the service does, and waits until they can be read. */
async function store(list: readonly TableRow[]): Promise<void> {
  for (let at = 0; at < list.length; at += 5_000) await rows.write(list.slice(at, at + 5_000));
  await isApplied(inject("lookout").questdbHttp);
}

/** Corrects what these rows touch; gives back how many session rows that wrote. */
async function correct(touchedBy: readonly TableRow[]): Promise<number> {
  const touched = new Set(
    touchedBy.map(({ tsUs, values }) => `${new Date(tsUs / 1_000).toISOString().slice(0, 10)} ${values.website_id}`),
  );
  let written = 0;
  for (const text of touched) {
    const [day = "", websiteId = ""] = text.split(" ");
    written += await correctSessions({ questdb, rows }, websiteId, day, signal);
    await aggregateWebsites({ questdb, rows }, day, [websiteId], noProgress, () => undefined, signal);
  }
  await isApplied(inject("lookout").questdbHttp);
  return written;
}

/** What one list has more than the other, a few of each. */
function differences(stored: readonly string[], expected: readonly string[]) {
  const normal = (text: string) => JSON.stringify(sortedKeys(JSON.parse(text)));
  const [have, want] = [new Set(stored.map(normal)), new Set(expected.map(normal))];
  return {
    missing: [...want].filter((text) => !have.has(text)).slice(0, 5),
    unexpected: [...have].filter((text) => !want.has(text)).slice(0, 5),
    count: stored.length - expected.length,
  };
}

/** DuckDB writes BIGINT as JSON numbers and whole DOUBLE as 1.0, which parsing makes alike. */
function sortedKeys(record: Record<string, unknown>): [string, unknown][] {
  return Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));
}

async function expectEqualToOracle(websiteIds: readonly string[], accepted: readonly TableRow[]): Promise<void> {
  const expected = await countWithDuckdb(accepted);
  const stored = await readStoredRecords(questdb, websiteIds);
  const none = { missing: [], unexpected: [], count: 0 };
  expect(differences(stored.sessions, expected.sessions)).toEqual(none);
  expect(differences(stored.aggregates, expected.aggregates)).toEqual(none);
}

describe("Session records and daily aggregation records (2)", () => {
  it("equal what DuckDB counts over the accepted events, before and after late events, and stay as they are", async () => {
    const websiteIds = [randomUUID(), randomUUID(), randomUUID()];
    const days = 4;
    const [firstDay = ""] = someDays(days);
    const fromMs = Date.parse(`${firstDay}T00:00:00Z`);
    const all = shuffled(2, generateRows(1, websiteIds, fromMs, days, eventCount));
    // A fifth is late; a tenth of the others is sent twice.
    const late = all.slice(0, all.length / 5);
    const first = all.slice(late.length);
    const sent = shuffled(3, [...first, ...first.slice(0, first.length / 10)]);

    await store(sent);
    await correct(sent);
    await expectEqualToOracle(websiteIds, sent);

    await store(late);
    expect(await correct(late)).toBeGreaterThan(1_000);
    await expectEqualToOracle(websiteIds, [...sent, ...late]);

    expect(await correct(all)).toBe(0);
    expect(new Set(all.map(({ tsUs }) => Math.floor(tsUs / 1_000 / dayMs))).size).toBe(days + 1);
  }, 300_000);

  it("lose what late events join: two sessions become one, also over midnight", async () => {
    const websiteId = randomUUID();
    const [day = ""] = someDays(2);
    const midnightUs = (Date.parse(`${day}T00:00:00Z`) + dayMs) * 1_000;
    const view = (minutes: number, key: number): TableRow => ({
      table: "events",
      tsUs: midnightUs + minutes * 60_000_000,
      values: { website_id: websiteId, event_key: key, event_type: "page_view", session_key: 5, path: `/${key}` },
    });
    const apart = [view(-20, 1), view(20, 2)];
    await store(apart);
    await correct(apart);
    await expectEqualToOracle([websiteId], apart);
    expect((await readStoredRecords(questdb, [websiteId])).sessions).toHaveLength(2);

    const late = view(-1, 3);
    await store([late]);
    await correct([late]);
    await expectEqualToOracle([websiteId], [...apart, late]);
    expect((await readStoredRecords(questdb, [websiteId])).sessions).toHaveLength(1);

    const earlier = view(-45, 4);
    await store([earlier]);
    await correct([earlier]);
    await expectEqualToOracle([websiteId], [...apart, late, earlier]);
    const { sessions } = await readStoredRecords(questdb, [websiteId]);
    expect(sessions.map((text) => JSON.parse(text))).toMatchObject([
      { pages: 4, entry: "/4", exit: "/2", seconds: 3_900 },
    ]);
  });
});
