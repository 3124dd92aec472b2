import { createHash } from "node:crypto";

/** A source of random numbers that gives the same ones for the same seed. */
export class SeededRandom {
  #state: number;

  constructor(seed: string) {
    this.#state = createHash("sha256").update(seed).digest().readUInt32LE(0);
  }

  /** From 0 up to 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 up to `count`. */
  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  /** One of the values, by their weights. */
  pick<T>(weighted: readonly (readonly [weight: number, value: T])[]): T {
    let left = this.next() * weighted.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, value] of weighted) {
      left -= weight;
      if (left < 0) return value;
    }
    const last = weighted.at(-1);
    if (last === undefined) throw new RangeError("there is nothing to pick from");
    return last[1];
  }
  /** One of the names, by their weights. */
  pickName(weights: Readonly<Record<string, number>>): string {
    return this.pick(Object.entries(weights).map(([name, weight]) => [weight, name]));
  }
}
