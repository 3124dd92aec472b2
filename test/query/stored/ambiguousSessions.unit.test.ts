import { expect, test } from "vitest";
import { timesSql } from "../../../src/query/sql/timesSql.ts";
import { ambiguousRangesOf } from "../../../src/query/stored/ambiguousSessions.ts";

const range = { startMs: Date.UTC(2026, 5, 1), endMs: Date.UTC(2026, 6, 1) };
const hourMs = 3_600_000;

function session(beganMs: number, lengthMs: number) {
  return { began_us: beganMs * 1_000 + 999, ended_ms: beganMs + lengthMs };
}

test("4.1 ambiguous sessions are read at their times, overlapping ones at once", () => {
  const { startMs } = range;
  const rows = [
    session(startMs + hourMs, 90_000),
    session(startMs + hourMs + 60_000, 90_500),
    session(startMs, 0),
    session(startMs + 2 * hourMs, 1),
  ];
  const times = ambiguousRangesOf(rows, range);
  expect(times).toEqual([
    { startMs, endMs: startMs + 1 },
    { startMs: startMs + hourMs, endMs: startMs + hourMs + 150_501 },
    { startMs: startMs + 2 * hourMs, endMs: startMs + 2 * hourMs + 2 },
  ]);
  expect(timesSql(times)).toBe(
    "ts IN '[2026-06-01T00:00:00.000;1s,2026-06-01T01:00:00.000;151s,2026-06-01T02:00:00.000;1s]'",
  );
});

test("4.1 none are read if none is ambiguous, and the whole range if a thousand are", () => {
  expect(ambiguousRangesOf([], range)).toEqual([]);
  const many = Array.from({ length: 1_001 }, (_, index) => session(range.startMs + index * 60_000, 1_000));
  expect(ambiguousRangesOf(many.slice(1), range)).toHaveLength(1_000);
  expect(ambiguousRangesOf(many, range)).toEqual([range]);
});
