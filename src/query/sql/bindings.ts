import type { BoundValue } from "../../store/questdb/questdbReader.ts";

/** The bound values of one statement. What a caller sent reaches QuestDB only through here. */
export class Bindings {
  readonly values: BoundValue[] = [];

  /** Keeps a value and returns its place in the text, such as `$3`. */
  bind(value: BoundValue): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }

  /** An instant as QuestDB compares it with a TIMESTAMP. */
  bindTime(instantMs: number): string {
    return this.bind(new Date(instantMs).toISOString());
  }

  /** Several values for IN. */
  bindAll(values: readonly BoundValue[]): string {
    return values.map((value) => this.bind(value)).join(", ");
  }
}
