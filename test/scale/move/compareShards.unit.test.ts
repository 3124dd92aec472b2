import { expect, test } from "vitest";
import { differencesOf } from "../../../src/scale/move/compareShards.ts";
import type { DayCount } from "../../../src/scale/move/movedRows.ts";

const count = (rows: number, sum: number, day = "2026-11-20"): DayCount => ({ table: "events", day, rows, sum });
const day = { table: "events", day: "2026-11-20" };

test.each([
  ["the same rows", count(5, 50), count(5, 50), count(5, 50), []],
  ["none yet", count(5, 50), undefined, count(5, 50), [{ ...day, isWrong: false }]],
  ["fewer", count(5, 50), count(4, 40), count(5, 50), [{ ...day, isWrong: false }]],
  ["more", count(5, 50), count(6, 60), count(5, 50), [{ ...day, isWrong: true }]],
  ["as many, but others", count(5, 50), count(5, 51), count(5, 50), [{ ...day, isWrong: true }]],
  ["rows of a day that the old one has none of", undefined, count(1, 10), undefined, [{ ...day, isWrong: true }]],
  ["some of those that came meanwhile", count(5, 50), count(6, 60), count(7, 70), []],
  ["fewer than before some came", count(5, 50), count(4, 40), count(7, 70), [{ ...day, isWrong: false }]],
  ["more than came", count(5, 50), count(8, 80), count(7, 70), [{ ...day, isWrong: true }]],
  ["the first rows of a day", undefined, count(1, 10), count(2, 20), []],
])("a new shard with %s", (_, before, there, after, expected) => {
  const list = (counted: DayCount | undefined) => (counted === undefined ? [] : [counted]);
  expect(differencesOf(list(before), list(there), list(after))).toEqual(expected);
});

test("while both shards are written the new one may have more, but not fewer", () => {
  expect(differencesOf([count(5, 50)], [count(6, 60)], undefined)).toEqual([]);
  expect(differencesOf([count(5, 50)], [count(4, 40)], undefined)).toEqual([{ ...day, isWrong: false }]);
});

test("days to copy come oldest first", () => {
  const before = [count(1, 1, "2026-11-21"), count(1, 1, "2026-11-19")];
  expect(differencesOf(before, [], before).map((each) => each.day)).toEqual(["2026-11-19", "2026-11-21"]);
});
