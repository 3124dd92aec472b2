import { randomUUID } from "node:crypto";
import { fromJson, type JsonObject } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { readConfig } from "../../src/config.ts";
import { QueryRequestSchema } from "../../src/gen/lookout/v1/query_pb.ts";
import { catalogue } from "../../src/query/catalogue/catalogue.ts";
import type { OutputField } from "../../src/query/catalogue/queryType.ts";
import { planQueries } from "../../src/query/planQuery.ts";
import { runParameter } from "../../src/query/runParameter.ts";
import { QuestdbReader } from "../../src/store/questdbReader.ts";
import { type DataTable, dataSet, dataTables } from "./differential/dataSet.ts";
import { insertData } from "./differential/insertData.ts";
import { expectedValue, type Facts, oracleAnswer } from "./differential/oracleAnswer.ts";
import { OracleTables } from "./differential/oracleTables.ts";
import { oracleMeasures } from "./differential/oracleWords.ts";
import { type Question, randomQuestion } from "./differential/randomQuestion.ts";
import { randomFrom } from "./randomEvents.ts";
import { countRows } from "./sampleRows.ts";

const websiteId = randomUUID();
const data = dataSet(20_260_303);
const other = dataSet(20_260_304);

/** All types whose rows are figures by bucket, by group or in total, and that keep to the range asked for. */
const types = [...catalogue.values()].filter(
  ({ shape, period, table, requiredFilter }) =>
    ["summary", "series", "table"].includes(shape.kind) &&
    period === undefined &&
    requiredFilter === undefined &&
    dataTables.some((known) => known === table),
);

const questions = 2_000;
const perType = Math.ceil(questions / types.length);

let reader: QuestdbReader;
let tables: OracleTables;

beforeAll(async () => {
  reader = new QuestdbReader(readConfig({ QUESTDB_PG: inject("lookout").questdbPg }).questdb);
  tables = await OracleTables.open(data);
  for (const table of dataTables) {
    await insertData(reader, table, data[table], websiteId);
    // Rows that no answer may count.
    await insertData(reader, table, other[table].slice(0, 300), randomUUID());
  }
  const isStored = async (table: DataTable) =>
    expect(await countRows(reader, table, websiteId)).toBe(data[table].length);
  for (const table of dataTables) await vi.waitFor(() => isStored(table), { timeout: 30_000 });
});

afterAll(async () => {
  tables.close();
  await reader.close();
});

describe(`4.1 answers to ${questions} random questions equal DuckDB's`, () => {
  for (const type of types)
    test(type.name, async () => {
      const random = randomFrom(Buffer.from(type.name).reduce((seed, byte) => seed * 31 + byte, 7));
      for (let round = 0; round < perType; round++) {
        const question = randomQuestion(type, random);
        const [rows, facts] = await Promise.all([answer(question, round % 2 === 1), oracleAnswer(question, tables)]);
        expectEqual(rows, facts, question);
      }
    });
});

test("all of them are asked, and at least 70 types", () => {
  expect(perType * types.length).toBeGreaterThanOrEqual(questions);
  expect(types.length).toBeGreaterThanOrEqual(70);
});

/** `isLarge`: with the statements of a website that has much of the rows. */
async function answer(
  { type, start, end, zone, unit, filters, limit, page }: Question,
  isLarge: boolean,
): Promise<JsonObject[]> {
  const query = {
    parameters: [{ name: type.name }],
    startDate: start,
    endDate: end,
    granularity: unit,
    filters: filters.map(({ field, op, values }) => ({ field, op, value: [...values] })),
    limit,
    page,
  };
  const work = planQueries(fromJson(QueryRequestSchema, { timezone: zone, query }), 0)[0]?.parameters[0]?.work;
  if (work === undefined || "error" in work) throw new Error(work?.error ?? "not planned");
  return runParameter({ ...work, websiteIds: [websiteId], isLarge }, reader);
}

function expectEqual(rows: readonly JsonObject[], facts: readonly Facts[], question: Question): void {
  const { type, ...asked } = question;
  const about = `${type.name} ${JSON.stringify(asked)}`;
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
