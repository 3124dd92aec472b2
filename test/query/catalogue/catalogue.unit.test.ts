import { describe, expect, test } from "vitest";
import { catalogue } from "../../../src/query/catalogue/catalogue.ts";
import type { OutputField } from "../../../src/query/catalogue/queryType.ts";
import { measuresOf } from "../../../src/query/catalogue/typeParts.ts";
import { findField } from "../../../src/query/sql/fields.ts";
import { measureOf } from "../../../src/query/sql/measures.ts";

describe("4.2 every entry of the catalogue can be answered and explained", () => {
  for (const [name, type] of catalogue)
    test(name, () => {
      expect(type.title).not.toBe("");
      expect(type.description).toMatch(/\.$/);
      expect(new Set(type.fields.map((field) => field.name)).size).toBe(type.fields.length);
      expect(type.defaultLimit).toBeLessThanOrEqual(10_000);
      if (type.shape.kind !== "table") return;
      const { dimensions } = type.shape;
      for (const dimension of dimensions) expect(findField(type.table, dimension)).toBeDefined();
      for (const { from } of type.fields) if ("dimension" in from) expect(dimensions[from.dimension]).toBeDefined();
      // The rows of a table are ordered and cut in one statement.
      expect(new Set(measuresOf(type).map((measure) => measureOf(measure).relation)).size).toBe(1);
    });
});

/** Counts that may be unknown, whose columns may hold null. */
const countsOrNull = [
  "websites_today.visitors",
  "websites_today.sessions",
  "websites_today.usual_visitors",
  "websites_today.usual_lowest",
  "websites_today.usual_highest",
  "uptime_ssl_status.invalid_ssl_checks",
];

test("4.2 every number has a unit, unless it is a count", () => {
  const bare = [...catalogue].flatMap(([name, { fields }]) =>
    fields.flatMap((field) =>
      field.type === "number" && field.unit === undefined && !isCount(field.from) ? [`${name}.${field.name}`] : [],
    ),
  );
  expect(bare).toEqual(countsOrNull);
});

function isCount(from: OutputField["from"]): boolean {
  if ("measure" in from) return measureOf(from.measure).format === "count";
  if ("goal" in from) return ["visitors", "conversions", "completions"].includes(from.goal);
  return "format" in from && from.format === "count";
}
