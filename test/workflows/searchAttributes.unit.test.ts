import { expect, test } from "vitest";
import { searchAttributes } from "../../src/store/temporal/searchAttributes.ts";

/** Columns that a Temporal server has for attributes of a namespace in PostgreSQL. */
const columns: Readonly<Record<string, number>> = { KEYWORD: 10, BOOL: 3, DATETIME: 3, DOUBLE: 3, INT: 3, TEXT: 3 };

test("a Temporal server on PostgreSQL has a column for each search attribute", () => {
  const types = searchAttributes.map(({ type }): string => type);
  for (const type of new Set(types))
    expect(types.filter((each) => each === type).length, type).toBeLessThanOrEqual(columns[type] ?? 0);
});
