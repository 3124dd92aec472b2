import { fromJson, type JsonValue } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { QueryFilterSchema } from "../../../src/gen/lookout/v1/query_pb.ts";
import { readFilters } from "../../../src/query/filters/readFilters.ts";
import { Bindings } from "../../../src/query/sql/bindings.ts";
import { filterSql } from "../../../src/query/sql/filters.ts";

function sqlOf(...filters: { field: string; op: string; value: JsonValue }[]) {
  const problems: string[] = [];
  const read = readFilters(
    filters.map((filter) => fromJson(QueryFilterSchema, filter)),
    (field, message) => problems.push(`${field} ${message}`),
  );
  const bindings = new Bindings();
  return { sql: filterSql(read, "events", bindings), values: bindings.values, problems };
}

describe("4.1 filters", () => {
  test("pass values only as bound parameters", () => {
    const value = "' OR 1=1; DROP TABLE events --";
    for (const op of ["eq", "ne", "contains", "not_contains", "starts_with", "in", "not_in"])
      for (const field of ["title", "country", "referrer", "session_id"]) {
        const { sql, values } = sqlOf({ field, op, value });
        expect(sql).not.toContain("DROP");
        expect(new Set(values)).toEqual(new Set([value]));
      }
  });
  test("treat numbers as text", () => {
    expect(sqlOf({ field: "path", op: "in", value: [404, "x", 1.5] }).values).toEqual(["404", "x", "1.5"]);
  });
  test("are joined with AND", () => {
    const { sql } = sqlOf(
      { field: "country", op: "eq", value: "DE" },
      { field: "path", op: "starts_with", value: "/a" },
    );
    expect(sql).toBe("(country = $1) AND (starts_with(path, $2))");
  });
  test("exclude rows without the index of a column: QuestDB 9.3.4 fails where they exclude its only value", () => {
    const excluded = { field: "link_id", comparison: "equals", negated: true, values: ["l1"] } as const;
    expect(filterSql([excluded], "link_clicks", new Bindings())).toBe("NOT (link_id::varchar = $1)");
    const chosen = { ...excluded, negated: false };
    expect(filterSql([chosen], "link_clicks", new Bindings())).toBe("(link_id = $1)");
  });
  test("accept the name that answers show for missing values", () => {
    expect(sqlOf({ field: "country", op: "eq", value: "Unknown" }).sql).toBe(
      "(country = $1 OR (country IS NULL OR country = ''))",
    );
  });
  for (const [value, op, problem] of [
    [true, "eq", "filters[0].value must be a string, a number or an array of them"],
    [{ a: 1 }, "eq", "filters[0].value must be a string, a number or an array of them"],
    [[["a"]], "in", "filters[0].value must be a string, a number or an array of them"],
    [["a"], "eq", undefined],
    [["a", null], "in", "filters[0].value must be a string, a number or an array of them"],
    [[], "in", "filters[0].value must hold at least one value"],
    [["a", "b"], "eq", "filters[0].value must be a single value here; use in or not_in for several"],
    ["", "contains", "filters[0].value must not be empty here; use eq or ne to compare with nothing"],
    ["a\u0000b", "eq", "filters[0].value must not hold the character U+0000; leave it out"],
    [Array.from({ length: 501 }, String), "in", "filters[0].value must hold at most 500 values"],
  ] as [JsonValue, string, string | undefined][])
    test(`${op} with ${JSON.stringify(value).slice(0, 30)}: ${problem ?? "is taken"}`, () => {
      expect(sqlOf({ field: "path", op, value }).problems).toEqual(problem === undefined ? [] : [problem]);
    });
});
