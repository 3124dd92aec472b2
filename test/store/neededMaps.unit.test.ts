import { fromJson } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { QueryRequestSchema } from "../../src/gen/lookout/v1/query_pb.ts";
import { catalogue } from "../../src/query/catalogue/catalogue.ts";
import { planQueries } from "../../src/query/plan/planQuery.ts";
import { prepare } from "../../src/query/shapes/prepare.ts";
import { neededMaps, tablesRead } from "../../src/store/questdb/neededMaps.ts";

const dayMs = 86_400_000;
const daysLong = (days: number) => ({ startMs: 0, endMs: days * dayMs });

test("8: a read needs the files of the widest table that it names, for each day of its range that the table has", () => {
  const day = neededMaps(["events"], daysLong(1), new Map()) / 2;
  expect(neededMaps(["events", "sessions"], daysLong(30), new Map())).toBe(31 * day);
  expect(neededMaps(["events"], daysLong(10_000), new Map([["events", 12]]))).toBe(12 * day);
  expect(neededMaps(["uptime_checks"], daysLong(70), new Map())).toBeLessThan(11 * day);
  expect(neededMaps([], daysLong(70), new Map())).toBe(0);
});

test("8: tables are found where a statement reads them, also within others, and columns of their name are not", () => {
  expect(tablesRead("SELECT sessions FROM (SELECT * FROM events WHERE ts > $1) JOIN link_clicks ON a = b")).toEqual([
    "events",
    "link_clicks",
  ]);
  expect(tablesRead("SELECT 1")).toEqual([]);
});

describe("8: the table of each query type is found in its statements", () => {
  for (const type of catalogue.values())
    test(type.name, async () => {
      const filters = type.requiredFilter === undefined ? [] : [{ field: type.requiredFilter, op: "eq", value: "x" }];
      const goal = { event: "x" };
      const query = {
        startDate: "2026-03-01",
        endDate: "2026-03-05",
        parameters: [{ name: type.name }],
        filters,
        goal,
      };
      const [planned] = await planQueries(fromJson(QueryRequestSchema, { timezone: "UTC", query }), 0);
      const statements = planned?.parameters.flatMap(({ work }) =>
        "error" in work ? [] : prepare({ ...work, websiteIds: ["w"], eventShare: 0 }).statements,
      );
      expect(statements?.length).toBeGreaterThan(0);
      for (const { sql } of statements ?? []) expect(tablesRead(sql), sql).not.toEqual([]);
    });
});
