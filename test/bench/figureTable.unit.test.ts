import { expect, test } from "vitest";
import { type Spread, spreadOf, tableOf, verdictOf } from "../../bench/figureTable.ts";
import { absolute, type Figures, ratio } from "../kit/bench/bench.ts";

const spread = (values: readonly number[], better: "higher" | "lower" = "higher"): Spread => {
  const found = spreadOf(values.map((value) => ({ figure: ratio(value, better) })))["figure"];
  if (found === undefined) throw new Error("no figure");
  return found;
};

test("the spread of a figure is its median and range over the runs that have it", () => {
  const runs: Figures[] = [
    { a: ratio(3, "higher", 2) },
    { a: ratio(1, "higher", 2), b: absolute(7, "ms", "lower") },
    { a: ratio(2, "higher", 2) },
  ];
  expect(spreadOf(runs)).toEqual({
    a: { unit: "", better: "higher", kind: "ratio", target: 2, median: 2, min: 1, max: 3, runs: 3 },
    b: { unit: "ms", better: "lower", kind: "absolute", median: 7, min: 7, max: 7, runs: 1 },
  });
});

test.each([
  ["above the range, higher is better", [1.2, 1.3], [0.9, 1], "higher", "better"],
  ["above the range, lower is better", [1.2, 1.3], [0.9, 1], "lower", "worse"],
  ["below the range, lower is better", [0.5, 0.6], [0.9, 1], "lower", "better"],
  ["the ranges touch", [1, 2], [0.5, 1], "higher", "same"],
  ["apart by less than rounding", [1.01], [1], "higher", "same"],
] as const)("a verdict: %s", (_, now, before, better, verdict) => {
  expect(verdictOf(spread(now, better), spread(before, better))).toBe(verdict);
});

test("a verdict: new without a committed figure, none for absolute figures", () => {
  expect(verdictOf(spread([1]), undefined)).toBe("new");
  const [fast, slow] = [spread([1]), spread([9])].map((each) => ({ ...each, kind: "absolute" as const }));
  expect(fast && verdictOf(fast, slow)).toBe("not compared");
});

test("the table shows ratios first, the committed figure beside each, and whether targets are met", () => {
  const now = { gateway: spreadOf([{ cpu: absolute(9, "µs", "lower"), share: ratio(0.8, "higher", 0.75) }]) };
  const before = { gateway: spreadOf([{ share: ratio(0.5, "higher", 0.75) }, { share: ratio(0.6, "higher", 0.75) }]) };
  expect(
    tableOf(now, before)
      .split("\n")
      .map((line) => line.split(/ {2,}/)),
  ).toEqual([
    ["bench", "figure", "now", "committed", "verdict", "target"],
    ["gateway", "share", "0.8", "0.6 (0.5 to 0.6)", "better", "0.75 met"],
    ["gateway", "cpu", "9 µs", "-", "new"],
  ]);
});
