import { detail, type Problems, quoted } from "../../errors/problems.ts";
import { nearest } from "../../text/nearest.ts";
import { aggregates } from "./aggregates.ts";
import type { Output, Place, PlannedMeasure } from "./customPlan.ts";
import type { CustomColumn, CustomTable } from "./customTable.ts";
import { readColumn } from "./readColumn.ts";

/** Collects the fields of a structured query's rows, with the keys and measures that fill them. */
export class CustomOutputs {
  readonly keys: CustomColumn[] = [];
  readonly measures: PlannedMeasure[] = [];
  readonly #outputs = new Map<string, Place>();
  readonly #problems: Problems;

  constructor(problems: Problems) {
    this.#problems = problems;
  }

  /** Adds a field. A duplicate name is reported as a violation at `where`. */
  add(label: string, at: Place, where: string): void {
    if (this.#outputs.has(label))
      this.#problems.add(detail(where, `gives the rows a second field ${quoted(label)}; choose another alias`));
    this.#outputs.set(label, at);
  }

  /** Adds a key, once, and returns its index. */
  addKey(column: CustomColumn): number {
    return this.keyOf(column) ?? this.keys.push(column) - 1;
  }

  /** The index of a key, undefined if the column is none. */
  keyOf(column: CustomColumn): number | undefined {
    const index = this.keys.findIndex(({ name }) => name === column.name);
    return index < 0 ? undefined : index;
  }

  /** Adds a select with an aggregate. Its mistakes are reported as violations. */
  addMeasure(
    table: CustomTable,
    { field, aggregateName, alias }: { field: string; aggregateName: string; alias: string | undefined },
    where: string,
  ): void {
    const known = aggregates.get(aggregateName);
    if (known === undefined) {
      const names = [...aggregates.keys()];
      const message = `must be one of ${names.join(", ")}, not ${quoted(aggregateName)}`;
      this.#problems.add(detail(`${where}.aggregate`, message, nearest(aggregateName, names)));
      return;
    }
    const isAll = known.aggregate === "count" && (field === "" || field === "*");
    const column = isAll ? undefined : readColumn(table, field, `${where}.field`, this.#problems);
    if (column === undefined && !isAll) return;
    if (column !== undefined && !known.kinds.includes(column.kind)) {
      const usable = [...aggregates].filter(([, { kinds }]) => kinds.includes(column.kind)).map(([name]) => name);
      const message = `must be one of ${usable.join(", ")} for ${column.name}, not ${quoted(aggregateName)}`;
      this.#problems.add(detail(`${where}.aggregate`, message));
      return;
    }
    const measure = this.measures.push({ aggregate: known.aggregate, column }) - 1;
    const label = alias || (column === undefined ? aggregateName : `${aggregateName}_${field}`);
    this.add(label, { measure }, alias ? `${where}.alias` : where);
  }

  inOrder(): Output[] {
    return [...this.#outputs].map(([label, at]) => ({ label, at }));
  }
}
