import { randomUUID } from "node:crypto";
import { fromJson, type JsonObject } from "@bufbuild/protobuf";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { correctSessions } from "../../../src/aggregation/storedSessions.ts";
import { readConfig } from "../../../src/config.ts";
import { type QueryRequest, QueryRequestSchema } from "../../../src/gen/lookout/v1/query_pb.ts";
import { createMetrics } from "../../../src/observability/metrics.ts";
import { runParameter } from "../../../src/query/answer/runParameter.ts";
import { catalogue } from "../../../src/query/catalogue/catalogue.ts";
import { fieldsWithGoal } from "../../../src/query/catalogue/goalTypes.ts";
import type { QueryType } from "../../../src/query/catalogue/queryType.ts";
import { planQueries } from "../../../src/query/plan/planQuery.ts";
import { filterNames, findField } from "../../../src/query/sql/fields.ts";
import { visitFinder } from "../../../src/query/visits/findVisits.ts";
import { QuestdbReader } from "../../../src/store/questdb/questdbReader.ts";
import { RowWriter } from "../../../src/store/write/rowWriter.ts";
import { dataRange, dataSet, dataTables } from "../../kit/oracle/dataSet.ts";
import { insertData } from "../../kit/oracle/insertData.ts";
import { oracleFields } from "../../kit/oracle/oracleDefinitions.ts";
import { type GoalFacts, goalFacts, goalFactsOfEvents, oracleGoals } from "../../kit/oracle/oracleGoals.ts";
import { OracleTables } from "../../kit/oracle/oracleTables.ts";
import { type RandomQuery, randomFilter, sentFilter } from "../../kit/oracle/randomQuery.ts";
import { attributedTable, visitTables } from "../../kit/oracle/visitTables.ts";
import { pick } from "../../kit/random/randomEvents.ts";
import { seededRandom } from "../../kit/random/seededRandom.ts";
import { sized } from "../../kit/random/sized.ts";
import { countRows } from "../../kit/stores/sampleRows.ts";

const dayMs = 86_400_000;
const websiteId = randomUUID();
const data = dataSet(20_261_127, { sessions: 250 });
const rounds = sized(6, 40);

/** One day whose stored sessions are not to be used. */
const unsettled = [{ startMs: dataRange.fromMs + 9 * dayMs, endMs: dataRange.fromMs + 10 * dayMs }];

let reader: QuestdbReader;
let tables: OracleTables;

beforeAll(async () => {
  const { questdbHttp, questdbPg } = inject("lookout");
  const { questdb } = readConfig({ QUESTDB_HTTP: questdbHttp, QUESTDB_PG: questdbPg });
  reader = new QuestdbReader(questdb);
  tables = await OracleTables.open(data, [...visitTables, attributedTable]);
  for (const table of dataTables) {
    await insertData(reader, table, data[table], websiteId);
    const areThere = async () => expect(await countRows(reader, table, websiteId)).toBe(data[table].length);
    await vi.waitFor(areThere, { timeout: 200_000 });
  }
  const rows = new RowWriter(questdb, createMetrics(), pino({ level: "silent" }));
  for (let day = -1; day <= dataRange.days; day += 1) {
    const date = new Date(dataRange.fromMs + day * dayMs).toISOString().slice(0, 10);
    await correctSessions({ questdb: reader, rows }, websiteId, date, new AbortController().signal);
  }
  await rows.close();
}, 600_000);

afterAll(async () => {
  tables.close();
  await reader.close();
});

/** A range of days in UTC and filters; both are as random queries have them. */
function randomScope(random: () => number) {
  const first = Math.floor(random() * 30);
  const last = first + Math.floor(random() * 10);
  const day = (index: number) => new Date(dataRange.fromMs + index * dayMs).toISOString().slice(0, 10);
  return {
    startDate: day(first),
    endDate: day(last),
    bounds: { startMs: dataRange.fromMs + first * dayMs, endMs: dataRange.fromMs + (last + 1) * dayMs },
    filters: Array.from({ length: pick(random, [0, 1, 1, 2]) }, () => randomFilter("events", random)),
  };
}

/** Answers from events alone, and with stored sessions; of websites with few and with many of all events. */
async function answers(query: object, random: () => number): Promise<JsonObject[][]> {
  const request: QueryRequest = fromJson(QueryRequestSchema, { query: query as JsonObject });
  const work = (await planQueries(request, 0))[0]?.parameters[0]?.work;
  if (work === undefined || "error" in work) throw new Error(work?.error ?? "not planned");
  const plan = { ...work, websiteIds: [websiteId], eventShare: pick(random, [0, 0.01, 1]) };
  const stored = visitFinder(async () => unsettled);
  return [await runParameter(plan, reader), await runParameter(plan, reader, stored)];
}

const rate = ({ visitors, conversions }: GoalFacts) =>
  visitors === 0 ? null : Math.round((10_000 * conversions) / visitors) / 100;

describe("with a goal every breakdown has the conversions that DuckDB counts", () => {
  // The oracle's data are of one website.
  const types = [...catalogue.values()].filter((type) => fieldsWithGoal(type).length > 0 && type.name !== "websites");
  for (const type of types)
    test(type.name, async () => {
      const random = seededRandom(Buffer.from(type.name).reduce((seed, byte) => seed * 31 + byte, 11));
      for (let round = 0; round < Math.ceil(rounds / 3); round += 1) {
        const { bounds, filters, ...dates } = randomScope(random);
        const goal = pick(random, oracleGoals);
        const query = {
          parameters: [{ name: type.name }],
          ...dates,
          filters: filters.map(sentFilter),
          goal: goal.sent,
          limit: 1_000,
        };
        const dimensions = type.shape.kind === "table" ? type.shape.dimensions : [];
        const isOfVisits = dimensions.every((name) => findField("events", name)?.isOfVisit);
        const facts = isOfVisits
          ? await goalFacts(goal, { filters, type }, dimensions, bounds, tables)
          : await goalFactsOfEvents(goal, { filters, type }, dimensions, bounds, tables);
        const byValues = new Map(facts.map((fact) => [JSON.stringify(fact.values), fact]));
        for (const rows of await answers(query, random))
          for (const row of rows) {
            const fact = byValues.get(JSON.stringify(valuesOf(type, row)));
            const shown = [row["visitors"] ?? row["unique_users"], row["conversions"], row["conversion_rate"]];
            const wanted = fact === undefined ? [0, 0, null] : [fact.visitors, fact.conversions, rate(fact)];
            expect(shown, JSON.stringify({ query, row, facts })).toEqual(wanted);
          }
      }
    });
});

/** The values of the dimensions in a row. */
function valuesOf({ fields, shape }: QueryType, row: JsonObject): unknown[] {
  const dimensions = shape.kind === "table" ? shape.dimensions : [];
  return dimensions.map((_, index) => {
    const field = fields.find(({ from }) => "dimension" in from && from.dimension === index);
    return row[field?.name ?? ""];
  });
}

describe("goal_conversions equals DuckDB's count", () => {
  const type = catalogue.get("goal_conversions") as QueryType;
  const splits = filterNames("events").filter(
    (name) => findField("events", name)?.isOfVisit === true && name in oracleFields,
  );
  const asked = [
    { split: "" },
    ...splits.map((split) => ({ split })),
    ...splits
      .filter((split) => /^(referrer|traffic_source|utm_)/.test(split))
      .map((split) => ({ split, attribution: "last_non_direct" })),
  ];
  test.each(asked)(
    "by $split, $attribution",
    async ({ split, attribution }: { split: string; attribution?: string }) => {
      const random = seededRandom(Buffer.from(split).reduce((seed, byte) => seed * 31 + byte, 13));
      for (let round = 0; round < Math.ceil(rounds / 3); round += 1) {
        const { bounds, filters, ...dates } = randomScope(random);
        const goal = pick(random, oracleGoals);
        const [limit, page] = [pick(random, [2, 5, 1_000]), pick(random, [1, 1, 2])];
        const parameter = {
          name: type.name,
          limit,
          ...(split === "" ? {} : { split_by: split }),
          ...(attribution && { attribution }),
        };
        const query = {
          parameters: [parameter],
          ...dates,
          filters: filters.map(sentFilter),
          goal: { name: "It", ...goal.sent },
          page,
        };
        const of = { filters, type } as Pick<RandomQuery, "filters" | "type">;
        const facts = await goalFacts(goal, of, split === "" ? [] : [split], bounds, tables, attribution !== undefined);
        const rows = facts
          .toSorted(byConversions)
          .slice((page - 1) * limit, page * limit)
          .map((fact) => ({
            goal: "It",
            value: fact.values[0] ?? "",
            visitors: fact.visitors,
            conversions: fact.conversions,
            conversion_rate: rate(fact),
            completions: fact.completions,
            revenue: [],
          }));
        for (const answer of await answers(query, random)) expect(answer, JSON.stringify(query)).toEqual(rows);
      }
    },
  );
});

function byConversions(a: GoalFacts, b: GoalFacts): number {
  return (
    b.conversions - a.conversions ||
    b.completions - a.completions ||
    b.visitors - a.visitors ||
    ((a.values[0] ?? "") < (b.values[0] ?? "") ? -1 : 1)
  );
}
