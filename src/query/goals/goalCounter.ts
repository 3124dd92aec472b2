import type { TextRow } from "../../store/questdb/questdbReader.ts";

/** How often each of several goals was reached, and by how many visitors, indexed by goal. */
export type GoalCounts = {
  /** The common key of the events: a bucket, a value or nothing. */
  readonly key: string;
  /** All visitors of the key. */
  visitors: number;
  readonly converted: number[];
  readonly completions: number[];
};

/**
 * Turns counts by combination of reached goals (a bit each) into counts per goal. Takes rows sorted by key, passes on
 * the counts of each key as soon as they are complete and holds no others.
 */
export class GoalCounter {
  readonly #goals: number;
  readonly #take: (counts: GoalCounts) => void;
  #counts: GoalCounts | undefined;

  constructor(goals: number, take: (counts: GoalCounts) => void) {
    this.#goals = goals;
    this.#take = take;
  }

  /** Counts a row of goalsStatement: the events with the goals of a mask, and the visitors who reached exactly these goals. */
  add([ofMask, ofVisitors, ofEvents, ofKey]: TextRow): void {
    const [mask, visitors, events, key] = [Number(ofMask), Number(ofVisitors), Number(ofEvents), ofKey ?? ""];
    if (this.#counts?.key !== key) {
      this.finish();
      const none = () => Array.from({ length: this.#goals }, () => 0);
      this.#counts = { key, visitors: 0, converted: none(), completions: none() };
    }
    const { converted, completions } = this.#counts;
    if (mask === 0) this.#counts.visitors += visitors;
    for (let goal = 0; goal < this.#goals; goal += 1) {
      if ((mask & (1 << goal)) === 0) continue;
      converted[goal] = (converted[goal] ?? 0) + visitors;
      completions[goal] = (completions[goal] ?? 0) + events;
    }
  }

  /** Passes on the counts of the last key. */
  finish(): void {
    if (this.#counts !== undefined) this.#take(this.#counts);
    this.#counts = undefined;
  }
}

/**
 * Whether a key has anything of a goal. A key that only other goals were reached with, by events of no visitor, has nothing: each goal is
 * answered as if it were asked alone.
 */
export function isCounted({ visitors, completions }: GoalCounts, goal: number): boolean {
  return visitors > 0 || (completions[goal] ?? 0) > 0;
}

/** The order of keys by how often a goal was reached, most conversions first. */
export function byConversions(goal: number): (a: GoalCounts, b: GoalCounts) => number {
  return (a, b) =>
    (b.converted[goal] ?? 0) - (a.converted[goal] ?? 0) ||
    (b.completions[goal] ?? 0) - (a.completions[goal] ?? 0) ||
    b.visitors - a.visitors ||
    (a.key < b.key ? -1 : 1);
}
