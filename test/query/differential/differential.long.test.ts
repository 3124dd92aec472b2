import { randomUUID } from "node:crypto";
import { fromJson, type JsonObject } from "@bufbuild/protobuf";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { correctSessions } from "../../../src/aggregation/storedSessions.ts";
import { readConfig } from "../../../src/config.ts";
import { QueryRequestSchema } from "../../../src/gen/lookout/v1/query_pb.ts";
import { createMetrics } from "../../../src/observability/metrics.ts";
import { runParameter } from "../../../src/query/answer/runParameter.ts";
import { catalogue } from "../../../src/query/catalogue/catalogue.ts";
import type { OutputField } from "../../../src/query/catalogue/queryType.ts";
import { planQueries } from "../../../src/query/plan/planQuery.ts";
import { wantsStoredSessions } from "../../../src/query/sessions/findStoredSessions.ts";
import { QuestdbReader } from "../../../src/store/questdb/questdbReader.ts";
import { RowWriter } from "../../../src/store/write/rowWriter.ts";
import { randomFrom } from "../../kit/random/randomEvents.ts";
import { countRows } from "../../kit/stores/sampleRows.ts";
import { type DataRow, type DataTable, dataRange, dataSet, dataTables } from "./dataSet.ts";
import { insertData } from "./insertData.ts";
import { expectedValue, type Facts, oracleAnswer } from "./oracleAnswer.ts";
import { oracleMeasures } from "./oracleDefinitions.ts";
import { OracleTables } from "./oracleTables.ts";
import { makeRandomQuery, type RandomQuery } from "./randomQuery.ts";

const dayMs = 86_400_000;
const websiteId = randomUUID();
const data = dataSet(20_260_303);
const other = dataSet(20_260_304);

/** All types whose rows are figures by bucket, by group or in total, and that are limited to the requested range. */
const types = [...catalogue.values()].filter(
  ({ shape, period, table, requiredFilter }) =>
    ["summary", "series", "table"].includes(shape.kind) &&
    period === undefined &&
    requiredFilter === undefined &&
    dataTables.some((known) => known === table),
);

const queries = 2_000;
const perType = Math.ceil(queries / types.length);

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
}, 300_000);

function isLate(table: DataTable, { ts, event_key }: DataRow): boolean {
  const isOfDay = unsettled.some(({ startMs, endMs }) => Number(ts) >= startMs && Number(ts) < endMs);
  return table === "events" && isOfDay && Number(event_key) % 3 === 0;
}

async function areStored(isMeant: (table: DataTable, row: DataRow) => boolean): Promise<void> {
  for (const table of dataTables) {
    const count = data[table].filter((row) => isMeant(table, row)).length;
    const isThere = async () => expect(await countRows(reader, table, websiteId)).toBe(count);
    await vi.waitFor(isThere, { timeout: 60_000 });
  }
}

afterAll(async () => {
  tables.close();
  await reader.close();
});

describe(`4.1 answers to ${queries} random queries equal DuckDB's`, () => {
  for (const type of types)
    test(type.name, async () => {
      const random = randomFrom(Buffer.from(type.name).reduce((seed, byte) => seed * 31 + byte, 7));
      for (let round = 0; round < perType; round++) {
        const randomQuery = makeRandomQuery(type, random);
        const [answers, facts] = await Promise.all([
          answer(randomQuery, shares[round % shares.length] ?? 0),
          oracleAnswer(randomQuery, tables),
        ]);
        for (const rows of answers) expectEqual(rows, facts, randomQuery);
      }
    });
});

test("all of them are sent, with at least 70 types", () => {
  expect(perType * types.length).toBeGreaterThanOrEqual(queries);
  expect(types.length).toBeGreaterThanOrEqual(70);
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
    filters: filters.map(({ field, op, values }) => ({ field, op, value: [...values] })),
    limit,
    page,
  };
  const work = (await planQueries(fromJson(QueryRequestSchema, { timezone: zone, query }), 0))[0]?.parameters[0]?.work;
  if (work === undefined || "error" in work) throw new Error(work?.error ?? "not planned");
  const plan = { ...work, websiteIds: [websiteId], eventShare };
  const ofEvents = await runParameter(plan, reader);
  if (!wantsStoredSessions(plan)) return [ofEvents];
  answersWithStored += 1;
  return [ofEvents, await runParameter(plan, reader, async () => unsettled)];
}

function expectEqual(rows: readonly JsonObject[], facts: readonly Facts[], randomQuery: RandomQuery): void {
  const { type, ...parameters } = randomQuery;
  const about = `${type.name} ${JSON.stringify(parameters)}`;
  expect(rows.length, about).toBe(facts.length);
  for (const [index, row] of rows.entries())
    for (const field of type.fields) {
      const fact = facts[index];
      const expected = fact === undefined ? null : expectedValue(field.from, fact);
      const shown = row[field.name];
      const message = `${about}: row ${index}, ${field.name}`;
      if (typeof expected === "number" && typeof shown === "number")
        expect(Math.abs(shown - expected), `${message}: ${shown} for ${expected}`).toBeLessThanOrEqual(
          tolerance(field, expected, type.shape.kind === "series"),
        );
      else expect(shown, message).toBe(expected);
    }
}

/**
 * Counts are exact and other figures rounded to two places. Percentiles are right to 0.1 %, but to 1 % in series, whose many histograms
 * would take longest.
 */
function tolerance({ from }: OutputField, expected: number, isSeries: boolean): number {
  if ("measure" in from && oracleMeasures[from.measure]?.isPercentile)
    return Math.abs(expected) * (isSeries ? 0.01 : 0.001) + 0.0051;
  return Number.isInteger(expected) ? 1e-9 : 0.0051;
}
