import { describe, expect, test } from "vitest";
import { catalogue } from "../../../src/query/catalogue/catalogue.ts";
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
