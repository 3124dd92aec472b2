/** The first `limit` of any number of items in an order, without sorting or holding the others. */
export class Top<T> {
  readonly #limit: number;
  readonly #compare: (a: T, b: T) => number;
  /** At most twice as many as needed; a sort keeps only the first ones. */
  readonly #items: T[] = [];
  /** The last item that still belongs to the first ones, once there are enough. */
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
