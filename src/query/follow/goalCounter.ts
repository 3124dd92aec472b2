/** How often each of several goals was reached, and by how many visitors, by the goals' numbers. */
export type GoalCounts = {
  /** What the events have in common: a bucket, a value or nothing. */
  readonly key: string;
  /** Visitors, whatever they did. */
  visitors: number;
  readonly converted: number[];
  readonly completions: number[];
};

/**
 * Adds up counts by the goals that were reached, a bit each, to counts of each goal. Takes rows ordered by key, hands over the counts of each
 * key as soon as they are complete and holds no others.
 */
export class GoalCounter {
  readonly #goals: number;
  readonly #take: (counts: GoalCounts) => void;
  #counts: GoalCounts | undefined;

  constructor(goals: number, take: (counts: GoalCounts) => void) {
    this.#goals = goals;
    this.#take = take;
  }

  /** Of the events of a key with the goals in `mask` there are `events`; `visitors` reached just these goals. */
  add(key: string, mask: number, visitors: number, events: number): void {
    if (this.#counts?.key !== key) {
      this.finish();
      const none = () => Array.from({ length: this.#goals }, () => 0);
      this.#counts = { key, visitors: 0, converted: none(), completions: none() };
    }
    const { converted, completions } = this.#counts;
    this.#counts.visitors += visitors;
    for (let goal = 0; goal < this.#goals; goal += 1) {
      if ((mask & (1 << goal)) === 0) continue;
      converted[goal] = (converted[goal] ?? 0) + visitors;
      completions[goal] = (completions[goal] ?? 0) + events;
    }
  }

  /** Hands the counts of the last key over. */
  finish(): void {
    if (this.#counts !== undefined) this.#take(this.#counts);
    this.#counts = undefined;
  }
}
