import type { BoundValue } from "../../store/questdb/questdbReader.ts";

/** The bound values of one statement. Caller input reaches QuestDB only through this. */
export class Bindings {
  readonly values: BoundValue[] = [];

  /** Adds a value and returns its placeholder, such as `$3`. */
  bind(value: BoundValue): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }

  /** Binds an instant for a comparison with a TIMESTAMP. */
  bindTime(instantMs: number): string {
    return this.bind(new Date(instantMs).toISOString());
  }

  /** The LIMIT of a page. */
  bindPage({ offset, limit }: { readonly offset: number; readonly limit: number }): string {
    return `LIMIT ${this.bind(offset)}, ${this.bind(offset + limit)}`;
  }

  /** Binds several values for IN. */
  bindAll(values: readonly BoundValue[]): string {
    return values.map((value) => this.bind(value)).join(", ");
  }
}
