/** The first `limit` of any number of items in an order, without sorting or holding the others. */
export class Top<T> {
  readonly #limit: number;
  readonly #compare: (a: T, b: T) => number;
  /** Up to twice as many as wanted; of those that came before the last sort only the first ones. */
  readonly #items: T[] = [];
  /** The last one that is still among the first, once there are enough. */
  #last: T | undefined;

  constructor(limit: number, compare: (a: T, b: T) => number) {
    this.#limit = limit;
    this.#compare = compare;
  }

  add(item: T): void {
    if (this.#last !== undefined && this.#compare(item, this.#last) >= 0) return;
    this.#items.push(item);
    if (this.#items.length >= 2 * this.#limit) this.#cut();
  }

  /** The first items, in order. */
  get items(): readonly T[] {
    this.#cut();
    return this.#items;
  }

  #cut(): void {
    this.#items.sort(this.#compare);
    if (this.#items.length < this.#limit) return;
    this.#items.length = this.#limit;
    this.#last = this.#items.at(-1);
  }
}
