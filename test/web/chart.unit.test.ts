import { expect, test } from "vitest";
import { placeMarks } from "../../web/app/src/ui/plot/chartMarks.ts";
import { chartSummary } from "../../web/app/src/ui/plot/chartSummary.ts";
import { currentBucket, fullBuckets, runningLine } from "../../web/app/src/ui/plot/fullBuckets.ts";
import { markGroups } from "../../web/app/src/ui/plot/markGroups.ts";
import { passedShare, projected } from "../../web/app/src/ui/plot/projection.ts";
import { unknownRuns } from "../../web/app/src/ui/plot/unknownRuns.ts";

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

test("the running day is projected from its passed part, but not while little of it has passed", () => {
  const noon = { day: "2026-03-05", time: "12:00:00" };
  expect(passedShare("daily", "2026-03-05", noon)).toBe(0.5);
  expect(passedShare("hourly", "2026-03-05T12:00:00+01:00", { ...noon, time: "12:45:10" })).toBe(0.75);
  expect(projected(50, 0.5)).toBe(100);
  expect(projected(0, 0.5)).toBe(0);
  expect(projected(50, 0.2)).toBeUndefined();
  expect(projected(null, 0.5)).toBeUndefined();
});

test("the projection is a line from the last bucket that is over; without one there is no line", () => {
  expect(runningLine([5, 7, 1, null], 2, 4)).toEqual([null, 7, 4, null]);
  expect(runningLine([5, 7, 1, null], 2, undefined)).toEqual([null, null, null, null]);
  expect(runningLine([1, null], 0, 4)).toEqual([null, null]);
});

test("marks of the chart are pressed alone where they have room, and as a list where they are near to each other", () => {
  const mark = (name: string, first: number, last = first) => ({
    kind: "incident" as const,
    name,
    startMs: first,
    href: name,
    first,
    last,
  });
  const box = { startPx: 56, widthPx: 290 };
  const groups = markGroups([mark("c", 29), mark("a", 2), mark("b", 3), mark("d", 10, 20)], 30, box);
  expect(groups.map(({ marks, ...place }) => [marks.map(({ name }) => name), place])).toEqual([
    [["a", "b"], { startPx: 64, widthPx: 34 }],
    [["d"], { startPx: 156, widthPx: 100 }],
    [["c"], { startPx: 334, widthPx: 24 }],
  ]);
  expect(markGroups([mark("a", 0)], 1, box)).toMatchObject([{ startPx: 56 + 145 - 12, widthPx: 24 }]);
});

test("a mark is placed on the days of the website's time zone, and keeps where it leads", () => {
  const mark = { kind: "incident", name: "Shop", href: "x" } as const;
  const startMs = Date.parse("2026-03-01T23:30:00Z");
  const days = ["2026-03-01", "2026-03-02", "2026-03-03"];
  expect(placeMarks([{ ...mark, startMs, endMs: startMs + 60_000 }], days, "Europe/Berlin")).toEqual([
    { ...mark, startMs, first: 1, last: 1 },
  ]);
  expect(placeMarks([{ ...mark, startMs: 0, endMs: 1 }], days, "UTC")).toEqual([]);
});

test("buckets of which nothing is known are runs, a bucket without visitors is none, and what is to come is none", () => {
  expect(unknownRuns([null, null, 0, 5, null, 3, null], 6)).toEqual([
    { first: 0, last: 1 },
    { first: 4, last: 4 },
  ]);
  expect(unknownRuns([null, null], -1)).toEqual([{ first: 0, last: 1 }]);
  expect(unknownRuns([0, 1], -1)).toEqual([]);
});
