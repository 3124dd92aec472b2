import { randomUUID } from "node:crypto";
import { fromJson, type JsonObject } from "@bufbuild/protobuf";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { correctSessions } from "../../../src/aggregation/storedSessions.ts";
import { readConfig } from "../../../src/config.ts";
import { QueryRequestSchema } from "../../../src/gen/lookout/v1/query_pb.ts";
import { createMetrics } from "../../../src/observability/metrics.ts";
import { runParameter } from "../../../src/query/answer/runParameter.ts";
import { planQueries } from "../../../src/query/plan/planQuery.ts";
import { visitFinder } from "../../../src/query/visits/findVisits.ts";
import { QuestdbReader } from "../../../src/store/questdb/questdbReader.ts";
import { RowWriter } from "../../../src/store/write/rowWriter.ts";
import { type DataRow, type DataTable, dataRange, dataSet, dataTables } from "../../kit/oracle/dataSet.ts";
import { differenceFromOracle } from "../../kit/oracle/differenceFromOracle.ts";
import { insertData } from "../../kit/oracle/insertData.ts";
import { oracleAnswer } from "../../kit/oracle/oracleAnswer.ts";
import { OracleTables } from "../../kit/oracle/oracleTables.ts";
import { oracleTypes } from "../../kit/oracle/oracleTypes.ts";
import { makeRandomQuery, type RandomQuery, sentFilter } from "../../kit/oracle/randomQuery.ts";
import { seededRandom } from "../../kit/random/seededRandom.ts";
import { sized } from "../../kit/random/sized.ts";
import { countRows } from "../../kit/stores/sampleRows.ts";

const dayMs = 86_400_000;
const websiteId = randomUUID();
const data = dataSet(20_260_303);
const other = dataSet(20_260_304);

const queries = sized(560, 5_000);
const perType = Math.ceil(queries / oracleTypes.length);

/** Days on which a third of the events came after their sessions were stored. */
const unsettled = [9, 10, 24].map((day) => ({
  startMs: dataRange.fromMs + day * dayMs,
  endMs: dataRange.fromMs + (day + 1) * dayMs,
}));

let reader: QuestdbReader;
let tables: OracleTables;
let answersWithStored = 0;

beforeAll(async () => {
  const { questdbHttp, questdbPg } = inject("lookout");
  const { questdb } = readConfig({ QUESTDB_HTTP: questdbHttp, QUESTDB_PG: questdbPg });
  reader = new QuestdbReader(questdb);
  tables = await OracleTables.open(data);
  for (const table of dataTables) {
    await insertData(
      reader,
      table,
      data[table].filter((row) => !isLate(table, row)),
      websiteId,
    );
    // Rows that no answer may count.
    await insertData(reader, table, other[table].slice(0, 300), randomUUID());
  }
  await areStored((table, row) => !isLate(table, row));
  const rows = new RowWriter(questdb, createMetrics(), pino({ level: "silent" }));
  for (let ms = dataRange.fromMs - dayMs; ms < dataRange.fromMs + (dataRange.days + 2) * dayMs; ms += dayMs) {
    const day = new Date(ms).toISOString().slice(0, 10);
    await correctSessions({ questdb: reader, rows }, websiteId, day, new AbortController().signal);
  }
  await rows.close();
  await insertData(
    reader,
    "events",
    data.events.filter((row) => isLate("events", row)),
    websiteId,
  );
  await areStored(() => true);
}, 600_000);

function isLate(table: DataTable, { ts, event_key }: DataRow): boolean {
  const isOfDay = unsettled.some(({ startMs, endMs }) => Number(ts) >= startMs && Number(ts) < endMs);
  return table === "events" && isOfDay && Number(event_key) % 3 === 0;
}

async function areStored(isMeant: (table: DataTable, row: DataRow) => boolean): Promise<void> {
  for (const table of dataTables) {
    const count = data[table].filter((row) => isMeant(table, row)).length;
    const isThere = async () => expect(await countRows(reader, table, websiteId)).toBe(count);
    await vi.waitFor(isThere, { timeout: 200_000 });
  }
}

afterAll(async () => {
  tables.close();
  await reader.close();
});

describe(`4.1 answers to ${queries} random queries equal DuckDB's`, () => {
  for (const type of oracleTypes)
    test(type.name, async () => {
      const random = seededRandom(Buffer.from(type.name).reduce((seed, byte) => seed * 31 + byte, 7));
      for (let round = 0; round < perType; round++) {
        const randomQuery = makeRandomQuery(type, random);
        const [answers, facts] = await Promise.all([
          answer(randomQuery, shares[round % shares.length] ?? 0),
          oracleAnswer(randomQuery, tables),
        ]);
        for (const rows of answers) expect(differenceFromOracle(rows, facts, randomQuery)).toBeUndefined();
      }
    });
});

test("all of them are sent, with at least 70 types", () => {
  expect(perType * oracleTypes.length).toBeGreaterThanOrEqual(queries);
  expect(oracleTypes.length).toBeGreaterThanOrEqual(70);
  expect(answersWithStored).toBeGreaterThan(100);
});

/** Each has other statements: of a website with few of all events, with some and with many. */
const shares = [0, 0.01, 1];

/** From events alone, and with stored sessions if the type uses them. */
async function answer(
  { type, start, end, zone, unit, filters, limit, page }: RandomQuery,
  eventShare: number,
): Promise<JsonObject[][]> {
  const query = {
    parameters: [{ name: type.name }],
    startDate: start,
    endDate: end,
    granularity: unit,
    filters: filters.map(sentFilter),
    limit,
    page,
  };
  const work = (await planQueries(fromJson(QueryRequestSchema, { timezone: zone, query }), 0))[0]?.parameters[0]?.work;
  if (work === undefined || "error" in work) throw new Error(work?.error ?? "not planned");
  const plan = { ...work, websiteIds: [websiteId], eventShare };
  const ofEvents = await runParameter(plan, reader);
  answersWithStored += 1;
  return [
    ofEvents,
    await runParameter(
      plan,
      reader,
      visitFinder(async () => unsettled),
    ),
  ];
}
