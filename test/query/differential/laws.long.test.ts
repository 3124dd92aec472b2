import { randomUUID } from "node:crypto";
import { fromJson } from "@bufbuild/protobuf";
import { pino } from "pino";
import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import { correctSessions } from "../../../src/aggregation/storedSessions.ts";
import { readConfig } from "../../../src/config.ts";
import { QueryRequestSchema } from "../../../src/gen/lookout/v1/query_pb.ts";
import { createMetrics } from "../../../src/observability/metrics.ts";
import { runParameter } from "../../../src/query/answer/runParameter.ts";
import { planQueries } from "../../../src/query/plan/planQuery.ts";
import { visitFinder } from "../../../src/query/visits/findVisits.ts";
import { QuestdbReader } from "../../../src/store/questdb/questdbReader.ts";
import { RowWriter } from "../../../src/store/write/rowWriter.ts";
import { type DataRow, dataRange, dataSet, dataTables } from "../../kit/oracle/dataSet.ts";
import { insertData } from "../../kit/oracle/insertData.ts";
import { sentFilter } from "../../kit/oracle/randomQuery.ts";
import { pick } from "../../kit/random/randomEvents.ts";
import { seededRandom } from "../../kit/random/seededRandom.ts";
import { countRows } from "../../kit/stores/sampleRows.ts";
import { type Ask, breakdowns, brokenLaws, type Website } from "./laws.ts";
import { randomQuestion } from "./randomQuestion.ts";

const rounds = 16;
const dayMs = 86_400_000;
/** Days whose rows are stored; of the others questions find nothing. */
const days = 20;

type StoredWebsite = Website & { readonly websiteId: string };

const websites: readonly StoredWebsite[] = [true, false].map((hasLoneEvents) => ({
  hasLoneEvents,
  websiteId: randomUUID(),
}));

/** One day whose stored sessions are not to be used. */
const unsettled = [{ startMs: dataRange.fromMs + 9 * dayMs, endMs: dataRange.fromMs + 10 * dayMs }];

let reader: QuestdbReader;

beforeAll(async () => {
  const { questdbHttp, questdbPg } = inject("lookout");
  const { questdb } = readConfig({ QUESTDB_HTTP: questdbHttp, QUESTDB_PG: questdbPg });
  reader = new QuestdbReader(questdb);
  const rows = new RowWriter(questdb, createMetrics(), pino({ level: "silent" }));
  for (const website of websites) await store(website, { questdb: reader, rows });
  await rows.close();
}, 600_000);

async function store(
  { websiteId, hasLoneEvents }: StoredWebsite,
  stores: Parameters<typeof correctSessions>[0],
): Promise<void> {
  const data = dataSet(20_260_307, { sessions: 100, allHaveVisitors: !hasLoneEvents });
  const isStored = ({ ts }: DataRow) => Number(ts) < dataRange.fromMs + days * dayMs;
  for (const table of dataTables) {
    const chosen = data[table].filter(isStored);
    await insertData(reader, table, chosen, websiteId);
    const areThere = async () => expect(await countRows(reader, table, websiteId)).toBe(chosen.length);
    await vi.waitFor(areThere, { timeout: 200_000 });
  }
  for (let day = -1; day <= days; day += 1) {
    const date = new Date(dataRange.fromMs + day * dayMs).toISOString().slice(0, 10);
    await correctSessions(stores, websiteId, date, new AbortController().signal);
  }
}

afterAll(async () => {
  await reader.close();
});

/** All statements, of websites with few and with many of all events, and with stored sessions or without. */
function askWith({ websiteId }: StoredWebsite, eventShare: number, usesStored: boolean): Ask {
  return async ({ name }, { start, end, zone, filters }) => {
    const query = {
      parameters: [{ name }],
      startDate: start,
      endDate: end,
      granularity: "day",
      filters: filters.map(sentFilter),
      limit: 1_000,
      page: 1,
    };
    const request = fromJson(QueryRequestSchema, { timezone: zone, query });
    const work = (await planQueries(request, 0))[0]?.parameters[0]?.work;
    if (work === undefined || "error" in work) throw new Error(work?.error ?? "not planned");
    const plan = { ...work, websiteIds: [websiteId], eventShare };
    return usesStored
      ? runParameter(
          plan,
          reader,
          visitFinder(async () => unsettled),
        )
      : runParameter(plan, reader);
  };
}

test(`2 the laws between figures hold for ${rounds} random questions`, async () => {
  const random = seededRandom(20_260_308);
  for (let round = 0; round < rounds; round += 1) {
    const question = randomQuestion(random);
    const website = pick(random, websites);
    const ask = askWith(website, pick(random, [0, 0.01, 1]), random() < 0.5);
    const broken = await brokenLaws(ask, question, website, [pick(random, breakdowns), pick(random, breakdowns)]);
    expect(broken, JSON.stringify({ question, website })).toEqual([]);
  }
}, 600_000);
