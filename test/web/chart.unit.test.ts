import { expect, test } from "vitest";
import { chartSummary } from "../../web/app/src/ui/plot/chartSummary.ts";
import { currentBucket, fullBuckets } from "../../web/app/src/ui/plot/fullBuckets.ts";

test("a line ends with the last bucket that is over, and the current one is a point beside it", () => {
  const values = [5, null, 7, 1, null];
  expect(fullBuckets(values, 3)).toEqual([5, null, 7, null, null]);
  expect(currentBucket(values, 3)).toEqual([null, null, null, 1, null]);
  expect(fullBuckets(values, -1)).toEqual(values);
  expect(currentBucket(values, -1)).toEqual([null, null, null, null, null]);
});

test("of a day that has just begun, its first hour is a point", () => {
  expect(fullBuckets([3, null], 0)).toEqual([null, null]);
  expect(currentBucket([3, null], 0)).toEqual([3, null]);
});

test("a chart is summed up by its highest and lowest bucket and where it goes, without what is not known", () => {
  const days = ["2026-03-01", "2026-03-02", "2026-03-03", "2026-03-04", "2026-03-05"];
  expect(chartSummary(days, [2, 8, null, 8, 9])).toEqual({
    highest: { bucket: "2026-03-05", value: 9 },
    lowest: { bucket: "2026-03-01", value: 2 },
    trend: "rising",
  });
  expect(chartSummary(days, [9, 9, 9, 8.9, 9])?.trend).toBe("steady");
  expect(chartSummary(days, [9, 9, 1, 1, 1])?.trend).toBe("falling");
  expect(chartSummary(days, [0, 0, 0, 0, 0])?.trend).toBe("steady");
  expect(chartSummary(days, [5, null, null, null, null])).toBeUndefined();
});
