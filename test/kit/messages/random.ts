import { seededRandom } from "../random/seededRandom.ts";

/** A seeded stream of random choices, so that a failing test can be run again. */
export class Random {
  /** From 0 to below 1. */
  readonly fraction: () => number;

  constructor(seed: number) {
    this.fraction = seededRandom(seed);
  }

  /** A whole number from `least` to `greatest`, both included. */
  whole(least: number, greatest: number): number {
    return least + Math.floor(this.fraction() * (greatest - least + 1));
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.whole(0, items.length - 1)];
    if (item === undefined && items.length === 0) throw new Error("There is nothing to pick from");
    return item as Item;
  }
}
