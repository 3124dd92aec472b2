import { fromJson, type JsonValue } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CustomQuerySchema } from "../../../src/gen/lookout/v1/query_pb.ts";
import { aggregates } from "../../../src/query/custom/aggregates.ts";
import type { ColumnKind } from "../../../src/query/custom/customTable.ts";
import { customOperators } from "../../../src/query/custom/operators.ts";
import { planCustom } from "../../../src/query/custom/planCustom.ts";
import { customStatement } from "../../../src/query/custom/statement.ts";
import { customTables } from "../../../src/query/custom/tables.ts";
import { bucketsOf } from "../../../src/query/sql/buckets.ts";
import type { QuestdbReader } from "../../../src/store/questdb/questdbReader.ts";
import { sessionPlaceUs } from "../../../src/store/questdb/sessionPlace.ts";
import { openQuestdb } from "../../kit/stores/testQuestdb.ts";

const websiteId = "00000000-0000-4000-8000-000000000000";
let reader: QuestdbReader;

beforeAll(() => {
  reader = openQuestdb();
});

afterAll(() => reader.close());

/** The statement of a query as the service makes it. */
function statementOf(query: JsonValue, granularity = "") {
  const range = { startDate: "2026-02-01", endDate: "2026-03-31", timezone: "Europe/Berlin" };
  const plan = planCustom(fromJson(CustomQuerySchema, { query, granularity, ...range }));
  const buckets = plan.bucketUnit === undefined ? undefined : bucketsOf(plan.range, plan.bucketUnit, plan.zone);
  return customStatement(plan, [websiteId], buckets);
}

/** Runs a query as the service does and gives its rows as QuestDB sent them. */
async function run(query: JsonValue, granularity = "") {
  const { sql, values } = statementOf(query, granularity);
  return reader.read(sql, values);
}

const sampleValue = (kind: ColumnKind, isOrder: boolean): JsonValue => {
  if (kind === "time") return "2026-03-01";
  return kind === "number" || isOrder ? 1.5 : "it's";
};

describe("4.5 QuestDB runs every aggregate and operator on every documented column that takes it", () => {
  for (const table of new Set(customTables.values()))
    test(table.name, async () => {
      const columns: { name: string; kind: ColumnKind }[] = [...table.columns.values()];
      if (table.hasProperties) columns.push({ name: "properties.plan", kind: "property" });
      for (const { name: field, kind } of columns) {
        await run({ table: table.name, selects: [{ field }], orderBy: [{ field, descending: true }] });
        const usable = [...aggregates].filter(([, { kinds }]) => kinds.includes(kind)).map(([name]) => name);
        const selects = usable.map((aggregate) => ({ field, aggregate }));
        await run({ table: table.name, selects });
        if (kind === "json") continue;
        await run({ table: table.name, selects: [...selects, { field, alias: "key" }], groupBy: [field] }, "week");
        for (const [operator, { kinds, comparison, takes }] of customOperators) {
          if (!kinds.includes(kind)) continue;
          const value = sampleValue(kind, comparison.by === "order");
          const condition = { field, operator, value: { none: null, one: value, many: [value, value] }[takes] };
          await run({ table: table.name, selects: [{ field }], filters: [condition] });
          await run({ table: table.name, selects: [{ field }], groupBy: [field], having: [condition] });
        }
      }
    });
});

test("4.5 a condition on the website works where it is the only one of the installation", async () => {
  const query = (operator: string, value: JsonValue) => ({
    table: "sessions",
    selects: [{ field: "session_id" }],
    filters: [{ field: "website_id", operator, value }],
  });
  const copy = `sessions_${Date.now()}`;
  await reader.change(`CREATE TABLE ${copy} (LIKE sessions)`);
  try {
    const startUs = Date.UTC(2026, 2, 1, 10) * 1_000;
    await reader.change(
      `INSERT INTO ${copy} (ts, started, website_id, session_key, last_activity_ms) VALUES ($1, $2, $3, 1, 1)`,
      [sessionPlaceUs(websiteId, startUs), startUs, websiteId],
    );
    const countOf = async (operator: string, value: JsonValue) => {
      const { sql, values } = statementOf(query(operator, value));
      return (await reader.read(sql.replace("FROM sessions", `FROM ${copy}`), values)).length;
    };
    await expect.poll(() => countOf("eq", websiteId)).toBe(1);
    expect(await countOf("ne", websiteId)).toBe(0);
    expect(await countOf("not_in", [websiteId])).toBe(0);
  } finally {
    await reader.change(`DROP TABLE ${copy}`);
  }
});

test("4.5 callers' text reaches QuestDB only as a bound value", () => {
  const attack = "x' OR 1=1; DROP TABLE events --";
  const query: JsonValue = {
    table: "events",
    selects: [{ field: `properties.${attack}`, alias: attack }, { aggregate: "count" }],
    groupBy: [`properties.${attack}`],
    filters: [{ field: "path", operator: "contains", value: attack }],
    having: [{ field: attack, operator: "eq", value: attack }],
    orderBy: [{ field: attack, descending: true }],
  };
  const plan = planCustom(fromJson(CustomQuerySchema, { query, startDate: "2026-03-01", endDate: "2026-03-01" }));
  const { sql, values } = customStatement(plan, ["w"], undefined);
  expect(sql).not.toContain("DROP");
  expect(values.filter((value) => value === attack)).toHaveLength(2);
  expect(plan.outputs.map(({ label }) => label)).toEqual([attack, "count"]);
});
