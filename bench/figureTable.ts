/** Compares the figures of several runs with the committed ones. */
import type { Figure, Figures } from "../test/kit/bench/bench.ts";
import { median } from "../test/kit/load/figures.ts";

/** A figure over several runs. */
export type Spread = Pick<Figure, "unit" | "better" | "kind" | "target"> & {
  readonly median: number;
  readonly min: number;
  readonly max: number;
  readonly runs: number;
};

/** By bench and name of the figure: the content of bench/figures.json. */
export type KeptFigures = Readonly<Record<string, Readonly<Record<string, Spread>>>>;

export type Verdict = "better" | "worse" | "same" | "new" | "not compared";

/** Figures are rounded, and the fewest runs show too small a spread: a change below this share of the median is none. */
const leastShare = 0.03;

/** The spread of each figure over the runs of a bench. A figure that a run lacks counts in the others. */
export function spreadOf(runs: readonly Figures[]): Record<string, Spread> {
  const names = new Set(runs.flatMap((figures) => Object.keys(figures)));
  return Object.fromEntries(
    [...names].flatMap((name) => {
      const found = runs.flatMap((figures) => figures[name] ?? []);
      const values = found.map(({ value }) => value);
      const [first] = found;
      if (first === undefined) return [];
      const { unit, better, kind, target } = first;
      const range = { median: median(values), min: Math.min(...values), max: Math.max(...values), runs: values.length };
      return [[name, { unit, better, kind, ...(target === undefined ? {} : { target }), ...range }]];
    }),
  );
}

/** Better or worse only if the ranges of both do not even touch, and the medians differ by more than rounding explains. */
export function verdictOf(now: Spread, before: Spread | undefined): Verdict {
  if (before === undefined) return "new";
  if (now.kind === "absolute") return "not compared";
  const isApart = now.min > before.max || now.max < before.min;
  const least = Math.abs(before.median) * leastShare;
  if (!isApart || Math.abs(now.median - before.median) <= least) return "same";
  return now.median > before.median === (now.better === "higher") ? "better" : "worse";
}

/** A line for each figure of each bench, ratios first. */
export function tableOf(now: KeptFigures, before: KeptFigures): string {
  const rows = Object.entries(now).flatMap(([bench, figures]) =>
    Object.entries(figures)
      .sort(([, one], [, other]) => Number(one.kind === "absolute") - Number(other.kind === "absolute"))
      .map(([name, figure]) => {
        const committed = before[bench]?.[name];
        return [bench, name, textOf(figure), textOf(committed), verdictOf(figure, committed), targetText(figure)];
      }),
  );
  const head = ["bench", "figure", "now", "committed", "verdict", "target"];
  const lines = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function textOf(figure: Spread | undefined): string {
  if (figure === undefined) return "-";
  const { median: middle, min, max, unit } = figure;
  const range = min === max ? "" : ` (${min} to ${max})`;
  return `${middle}${unit === "" ? "" : ` ${unit}`}${range}`;
}

function targetText({ target, better, median: middle }: Spread): string {
  if (target === undefined) return "";
  const isMet = better === "higher" ? middle >= target : middle <= target;
  return `${target} ${isMet ? "met" : "missed"}`;
}
