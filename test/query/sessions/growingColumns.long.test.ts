import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { QuestdbReader } from "../../../src/store/questdb/questdbReader.ts";
import { columnsOfTable } from "../../../src/store/questdb/tables.ts";
import { send } from "../../kit/calls/request.ts";
import { createWebsite, type TestWebsite } from "../../kit/calls/website.ts";
import { pick } from "../../kit/random/randomEvents.ts";
import { seededRandom } from "../../kit/random/seededRandom.ts";
import { markTouched } from "../../kit/stores/markTouched.ts";
import { countRows, insertRows } from "../../kit/stores/sampleRows.ts";
import { openQuestdb } from "../../kit/stores/testQuestdb.ts";
import { randomVisits } from "./randomVisits.ts";

/** Types whose figures are counts, by columns of type SYMBOL or by pages: averages may be rounded otherwise once sessions are stored. */
const types = [
  ...["countries", "regions", "cities", "timezones", "browsers", "browser_versions", "operating_systems"],
  ...["device_types", "utm_campaigns", "utm_sources", "referrers", "entry_pages", "pages"],
];

/** The columns that get more distinct values, of another website. */
const columns = Object.entries(columnsOfTable.events).flatMap(([name, kind]) =>
  kind === "SYMBOL" && !["website_id", "event_type"].includes(name) ? [name] : [],
);

/** QuestDB makes room for 256 distinct values at first, and doubles it when they are used up. */
const sizes = [300, 600, 1_200, 2_400];

let reader: QuestdbReader;
let website: TestWebsite;
let other: TestWebsite;

beforeAll(async () => {
  reader = openQuestdb();
  [website, other] = [await createWebsite(), await createWebsite()];
  const shape = { fromMs: Date.UTC(2025, 8, 1), days: 7, keys: 300, servers: 0, isSteady: false };
  const rows = randomVisits(seededRandom(1), shape).flatMap(({ table, row }) => (table === "events" ? [row] : []));
  await markTouched(
    website.websiteId,
    rows.map(({ tsMs }) => tsMs),
  );
  await insertRows(reader, "events", rows, website.websiteId);
  await vi.waitFor(async () => expect(await countRows(reader, "events", website.websiteId)).toBe(rows.length), {
    timeout: 200_000,
  });
});

afterAll(() => reader.close());

async function answer(name: string): Promise<string> {
  const body = { parameters: [name], startDate: "2025-09-01", endDate: "2025-09-07", limit: 1_000 };
  const answered = await send("POST", `/v1/query?website_id=${website.websiteId}`, { body, apiKey: website.apiKey });
  return JSON.stringify(answered.body, (key, value) => (["requestId", "meta"].includes(key) ? undefined : value));
}

test("4.1 answers stay right while columns get room for more distinct values", { timeout: 600_000 }, async () => {
  const expected = new Map<string, string>();
  for (const name of types) expected.set(name, await answer(name));
  for (const text of expected.values()) expect(text).toContain('"success":true,"data":[{');

  let isGrowing = true;
  const wrong = new Set<string>();
  const ask = async (random: () => number) => {
    while (isGrowing) {
      const name = pick(random, types);
      const found = await answer(name);
      if (found !== expected.get(name)) wrong.add(`${name}: ${found}`);
    }
  };
  const grow = async () => {
    let key = 0;
    for (const size of sizes)
      for (const column of columns) {
        await reader.read(
          `INSERT INTO events (ts, website_id, event_key, event_type, ${column})
           SELECT dateadd('s', (x * 200)::int, '2025-09-01T00:00:00Z'::timestamp), '${other.websiteId}', ${key} + x, 'custom', 'v' || x
           FROM long_sequence(${size})`,
          [],
        );
        key += size;
      }
    isGrowing = false;
  };
  await Promise.all([grow(), ...[1, 2, 3, 4].map((seed) => ask(seededRandom(seed)))]);
  expect([...wrong]).toEqual([]);
});
