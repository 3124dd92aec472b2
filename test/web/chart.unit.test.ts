import { expect, test } from "vitest";
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
