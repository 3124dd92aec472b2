import { fromJson, type JsonObject, type JsonValue } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { ApiError } from "../../../src/errors/errors.ts";
import { CompileQuerySchema, CustomQuerySchema, QueryRequestSchema } from "../../../src/gen/lookout/v1/query_pb.ts";
import { catalogue } from "../../../src/query/catalogue/catalogue.ts";
import { planCustom } from "../../../src/query/custom/planCustom.ts";
import { customStatement } from "../../../src/query/custom/statement.ts";
import { planCompile } from "../../../src/query/plan/planCompile.ts";
import { planQueries } from "../../../src/query/plan/planQuery.ts";
import { compileStatements } from "../../../src/query/request/compileStatements.ts";
import { prepare } from "../../../src/query/shapes/prepare.ts";
import { filterNames } from "../../../src/query/sql/fields.ts";
import { filterOperators } from "../../../src/query/sql/filters.ts";
import { attackMark, attacks as sent } from "./attacks.ts";

/** As the gateway passes them on: invalid Unicode is refused before. */
const attacks = sent.map((text) => text.toWellFormed());

const days = { startDate: "2026-03-01", endDate: "2026-03-05" };

/** Statements of something that may be refused with an error for the caller. */
async function statementsOr(
  make: () => Promise<readonly { readonly sql: string }[]>,
): Promise<readonly { readonly sql: string }[]> {
  try {
    return await make();
  } catch (error) {
    if (error instanceof ApiError) return [];
    throw error;
  }
}

function expectOnlyBound(statements: readonly { readonly sql: string }[]): void {
  for (const { sql } of statements) expect(sql).not.toContain(attackMark);
}

async function queryStatements(query: JsonObject, timezone: string, websiteId: string) {
  const planned = await planQueries(fromJson(QueryRequestSchema, { timezone, query }), 0);
  return planned.flatMap(({ parameters }) =>
    parameters.flatMap(({ work }) =>
      "error" in work
        ? []
        : [0, 1].flatMap((eventShare) => prepare({ ...work, websiteIds: [websiteId], eventShare }).statements),
    ),
  );
}

describe("4.1 no text of a query is in its SQL", () => {
  for (const type of catalogue.values())
    test(type.name, async () => {
      const fields = [...filterNames(type.table), ...(type.ownFilters ?? [])];
      const required = type.requiredFilter === undefined ? [] : [{ field: type.requiredFilter, op: "eq", value: "x" }];
      for (const [index, attack] of attacks.entries()) {
        const ops = [...filterOperators.keys()];
        // Each attack with a third of the fields, each field with a third of the attacks: all of both take minutes.
        const filters: JsonValue[] = fields.flatMap((field, at) =>
          (at + index) % 3 === 0 ? [{ field, op: ops[(at + index) % ops.length] ?? "eq", value: attack }] : [],
        );
        filters.push({ field: `properties.${attack}`, op: "eq", value: attack });
        for (const filter of filters) {
          const query = { parameters: [{ name: type.name }], ...days, filters: [...required, filter] };
          expectOnlyBound(await statementsOr(() => queryStatements(query, "UTC", attack)));
        }
      }
    });
});

const plain = { parameters: [{ name: "pages" }], ...days };

test("4.1 types, presets, dates, granularities, zones and fields that are attacks are refused", async () => {
  for (const attack of attacks)
    for (const [query, zone] of [
      [{ ...plain, parameters: [{ name: attack }] }, "UTC"],
      [{ ...plain, preset: attack }, "UTC"],
      [{ ...plain, startDate: attack }, "UTC"],
      [{ ...plain, endDate: `2026-03-05${attack}` }, "UTC"],
      [{ ...plain, granularity: attack }, "UTC"],
      [{ ...plain, parameters: [{ name: "pages", granularity: attack }] }, "UTC"],
      [{ ...plain, filters: [{ field: "path", op: attack, value: "x" }] }, "UTC"],
      [plain, attack],
      [plain, `Europe/Berlin${attack}`],
    ] as [JsonObject, string][])
      await expect(queryStatements(query, zone, "w"), JSON.stringify(query)).rejects.toThrow(ApiError);
});

test("4.1 a field of no table fails the parameter", async () => {
  for (const field of attacks) {
    const query = { ...plain, filters: [{ field, op: "eq", value: "x" }] };
    expect(await queryStatements(query, "UTC", "w")).toEqual([]);
  }
});

test("4.4 no text of a query to compile is in the SQL", async () => {
  const compiled = { type: "pages", from: "2026-03-01", to: "2026-03-05" };
  for (const attack of attacks)
    for (const more of [
      { type: attack },
      { from: attack },
      { to: attack },
      { timeUnit: attack },
      { groupBy: [attack] },
      { orderBy: attack },
      { orderBy: `-${attack}` },
      { filters: [{ field: attack, op: "eq", value: "x" }] },
      { filters: [{ field: "path", op: attack, value: "x" }] },
      { filters: [{ field: `properties.${attack}`, op: "contains", value: attack }] },
      {
        filters: [{ field: "country", op: "not_in", value: [attack, attack] }],
        groupBy: ["browser"],
        orderBy: "-views",
      },
    ] as JsonObject[]) {
      const plan = () => planCompile(fromJson(CompileQuerySchema, { ...compiled, ...more }), "UTC", 0);
      expectOnlyBound(await statementsOr(async () => compileStatements(plan(), [attack]).statements));
      const inZone = () => planCompile(fromJson(CompileQuerySchema, compiled), attack, 0);
      expect(inZone).toThrow(ApiError);
    }
});

test("4.5 no text of a structured query is in its SQL", async () => {
  const selects = [{ aggregate: "count", alias: "n" }];
  for (const attack of attacks)
    for (const [query, more] of [
      [{ table: attack, selects }],
      [{ table: "events", selects: [{ field: attack }] }],
      [{ table: "events", selects: [{ field: "path", aggregate: attack }] }],
      [
        {
          table: "events",
          selects: [{ field: "path", alias: attack }],
          orderBy: [{ field: attack, descending: true }],
        },
      ],
      [{ table: "events", selects: [{ field: `properties.${attack}`, aggregate: "sum", alias: attack }] }],
      [{ table: "events", selects, groupBy: [attack] }],
      [{ table: "events", selects, groupBy: [`properties.${attack}`] }],
      [{ table: "events", selects, filters: [{ field: attack, operator: "eq", value: "x" }] }],
      [{ table: "events", selects, filters: [{ field: "path", operator: attack, value: "x" }] }],
      [{ table: "events", selects, filters: [{ field: "path", operator: "contains", value: attack }] }],
      [{ table: "events", selects, filters: [{ field: "timestamp", operator: "gt", value: attack }] }],
      [{ table: "events", selects, filters: [{ field: "interaction_count", operator: "in", value: [attack, 1] }] }],
      [{ table: "events", selects, filters: [{ field: `properties.${attack}`, operator: "gt", value: 1 }] }],
      [{ table: "events", selects, groupBy: ["path"], having: [{ field: attack, operator: "eq", value: 1 }] }],
      [{ table: "events", selects, groupBy: ["path"], having: [{ field: "path", operator: "in", value: [attack] }] }],
      [{ table: "events", selects, orderBy: [{ field: attack }] }],
      [{ table: "events", selects }, { granularity: attack }],
      [{ table: "events", selects }, { timezone: attack }],
      [{ table: "events", selects }, { startDate: attack }],
    ] as [JsonObject, JsonObject?][])
      expectOnlyBound(
        await statementsOr(async () => {
          const plan = planCustom(fromJson(CustomQuerySchema, { query, ...days, ...more }));
          return [customStatement(plan, [attack], undefined)];
        }),
      );
});
