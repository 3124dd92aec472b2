import type { MeantimeVisitors, WeekVisitors } from "./askVisitors.ts";
import { usualOf } from "./usual.ts";

/** A figure during an incident, what is usual, and of how many weeks that is the median. */
export type Meantime = {
  readonly now: number | null;
  /** Undefined where it cannot be told. */
  readonly usual: number | undefined;
  readonly weeks: number;
  /** The fewest and the most of these weeks. */
  readonly lowest: number;
  readonly highest: number;
};

export function meantime(
  { now, before }: Pick<MeantimeVisitors, "now" | "before">,
  of: (week: WeekVisitors) => number | null,
): Meantime {
  const known = before.map(of).filter((value) => value !== null);
  return {
    now: of(now),
    usual: usualOf(known),
    weeks: known.length,
    lowest: Math.min(...known),
    highest: Math.max(...known),
  };
}

/** With fewer, chance alone makes the difference. */
const leastUsual = 5;

export function isComparable(usual: number): boolean {
  return usual >= leastUsual;
}
