import { expect, test } from "vitest";
import { sparkValues } from "../../web/app/src/pages/dashboard/chart/sparkValues.ts";
import { sparkPaths } from "../../web/app/src/ui/spark/sparkPath.ts";

test("a small line reaches from 0 at the bottom to its highest value at the top, with the area below it", () => {
  expect(sparkPaths([0, 10, 5])).toEqual({ line: "M0 23L50 1L100 12", area: "M0 23L50 1L100 12V24H0Z" });
});

test("it has gaps where nothing is known, and a value between two gaps is a dot", () => {
  const { line, area } = sparkPaths([4, 4, null, 4, null]);
  expect(line).toBe("M0 1L25 1M75 1h0");
  expect(area).toBe("M0 1L25 1V24H0Z");
});

test("of nothing it draws nothing, of zeros a line at the bottom, of one value a dot", () => {
  expect(sparkPaths([])).toEqual({ line: "", area: "" });
  expect(sparkPaths([null, null])).toEqual({ line: "", area: "" });
  expect(sparkPaths([0, 0]).line).toBe("M0 23L100 23");
  expect(sparkPaths([3]).line).toBe("M50 1h0");
});

test("the bucket that is not over and those after it are left out", () => {
  const row = (date: string, visitors: number | null) => ({
    date,
    visitors,
    value: null,
    pageviews: null,
    sessions: null,
    bounce_rate: null,
    avg_session_duration: null,
    median_session_duration: null,
    pages_per_session: null,
  });
  const rows = [row("2026-03-01", null), row("2026-03-02", 7), row("2026-03-03", 2), row("2026-03-04", 0)];
  expect(sparkValues(rows, 2, "visitors")).toEqual([null, 7]);
  expect(sparkValues(rows, -1, "visitors")).toEqual([null, 7, 2, 0]);
  expect(sparkValues(undefined, -1, "visitors")).toBeUndefined();
});
