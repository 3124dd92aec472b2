import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { QuestdbReader } from "../../../src/store/questdb/questdbReader.ts";
import { send } from "../../kit/calls/request.ts";
import { createWebsite, type TestWebsite } from "../../kit/calls/website.ts";
import { markTouched } from "../../kit/stores/markTouched.ts";
import { openQuestdb } from "../../kit/stores/testQuestdb.ts";

const events = 60_000;
const eventsPerLoad = 2_000;
let website: TestWebsite;
let reader: QuestdbReader;

beforeAll(async () => {
  reader = openQuestdb();
  website = await createWebsite();
});

afterAll(() => reader.close());

/** Page views of sessions of their own, put straight into QuestDB: ingestion would be too slow to be noticed. */
async function load(firstKey: number): Promise<void> {
  await markTouched(website.websiteId, [Date.now() - 3_600_000, Date.now()]);
  await reader.change(
    "INSERT INTO events (ts, website_id, event_key, event_type, name, visitor_key, session_key, path) " +
      `SELECT dateadd('s', -x::int, now()), $1, x + ${firstKey}, 'page_view', 'screen_view', x + ${firstKey}, x + ${firstKey}, '/' ` +
      `FROM long_sequence(${eventsPerLoad})`,
    [website.websiteId],
  );
}

type Answer = {
  data: { success: boolean; data: Record<string, number>[] }[];
  meta: { consistent: boolean };
};

const startDate = new Date(Date.now() - 86_400_000).toISOString();
const endDate = new Date(Date.now() + 3_600_000).toISOString();

/** Figures of the same sessions, each by a statement of its own, and whether the answer says that they are consistent. */
async function ask() {
  const parameters = ["summary_metrics", "entry_pages", "session_duration_distribution", "sessions", "page_views"];
  const { body } = await send("POST", `/v1/query?website_id=${website.websiteId}`, {
    body: { startDate, endDate, parameters },
    apiKey: website.apiKey,
  });
  const { data, meta } = body as Answer;
  const sum = (place: number, field: string) =>
    data[place]?.data.reduce((total, row) => total + Number(row[field] ?? 0), 0);
  const figures = [sum(0, "sessions"), sum(1, "sessions"), sum(2, "sessions"), sum(3, "value"), sum(4, "value")];
  return { figures, consistent: meta.consistent, body };
}

test("4.1 parameters that read different data are marked in meta; the others agree", async () => {
  let isLoading = true;
  const loading = (async () => {
    for (let firstKey = 0; firstKey < events; firstKey += eventsPerLoad) await load(firstKey);
    isLoading = false;
  })();
  const answers: Awaited<ReturnType<typeof ask>>[] = [];
  while (isLoading) answers.push(await ask());
  await loading;
  for (const { figures, consistent, body } of answers)
    if (consistent) expect(new Set(figures).size, `${figures} ${JSON.stringify(body).slice(0, 2_000)}`).toBe(1);
  expect(answers.map(({ consistent }) => consistent)).toContain(false);
  await vi.waitFor(
    async () => {
      const { figures, consistent } = await ask();
      expect(figures).toEqual(Array.from({ length: 5 }, () => events));
      expect(consistent).toBe(true);
    },
    { timeout: 100_000, interval: 200 },
  );
});

test("4.1 an answer to one parameter is always consistent", async () => {
  const { body } = await send("POST", `/v1/query?website_id=${website.websiteId}`, {
    body: { preset: "last_7d", parameters: ["page_views"] },
    apiKey: website.apiKey,
  });
  expect(body).toMatchObject({ meta: { consistent: true } });
});
