import { fromJson } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { QueryRequestSchema } from "../../../src/gen/lookout/v1/query_pb.ts";
import type { ParameterPlan } from "../../../src/query/plan/parameterPlan.ts";
import { planQueries } from "../../../src/query/plan/planQuery.ts";
import { readAmbiguousRanges } from "../../../src/query/sessions/sessionsByColumn.ts";
import { timesSql } from "../../../src/query/sql/timesSql.ts";
import type { TimeRange } from "../../../src/time/dates.ts";

const startMs = Date.UTC(2026, 5, 1);
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

function session(beganMs: number, lengthMs: number) {
  return { start_ms: beganMs, end_ms: beganMs + lengthMs + 1 };
}

test("4.1 ambiguous sessions are read at their times, overlapping ones at once", async () => {
  const times = await rangesOf([
    session(startMs + hourMs, 90_000),
    session(startMs + hourMs + minuteMs, 90_500),
    session(startMs, 0),
    session(startMs + 2 * hourMs, 1),
  ]);
  expect(times).toEqual([
    { startMs, endMs: startMs + 1 },
    { startMs: startMs + hourMs, endMs: startMs + hourMs + 150_501 },
    { startMs: startMs + 2 * hourMs, endMs: startMs + 2 * hourMs + 2 },
  ]);
  expect(timesSql(times)).toBe(
    "ts IN '[2026-06-01T00:00:00.000;1s,2026-06-01T01:00:00.000;151s,2026-06-01T02:00:00.000;1s]'",
  );
});

test("4.1 no events are read if no session is ambiguous, and those of the whole range if hundreds are", async () => {
  expect(await rangesOf([])).toEqual([]);
  const many = Array.from({ length: 901 }, (_, index) => session(startMs + index * minuteMs, 1_000));
  expect(await rangesOf(many.slice(1))).toHaveLength(900);
  expect(await rangesOf(many)).toEqual([(await countries()).range]);
});

/** The ranges when QuestDB answers with these rows. */
async function rangesOf(rows: Record<string, number>[]): Promise<readonly TimeRange[]> {
  return readAmbiguousRanges(await countries(), [], { read: async () => rows });
}

async function countries(): Promise<ParameterPlan> {
  const query = { parameters: [{ name: "countries" }], startDate: "2026-06-01", endDate: "2026-06-30" };
  const [planned] = await planQueries(fromJson(QueryRequestSchema, { query }), startMs + 60 * 24 * hourMs);
  const work = planned?.parameters[0]?.work;
  if (work === undefined || "error" in work) throw new Error(work?.error ?? "not planned");
  return { ...work, websiteIds: ["w"] };
}
