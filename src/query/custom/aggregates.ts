import type { ColumnKind } from "./customTable.ts";

/** How rows of a group become one figure. */
export type Aggregate = "count" | "sum" | "avg" | "max" | "min" | "uniq";

/** The aggregates by name, with the kinds of columns they accept; `count` also works without a column. */
export const aggregates: ReadonlyMap<string, { readonly aggregate: Aggregate; readonly kinds: readonly ColumnKind[] }> =
  new Map([
    ["count", { aggregate: "count", kinds: ["text", "number", "time", "json", "property"] }],
    ["sum", { aggregate: "sum", kinds: ["number", "property"] }],
    ["avg", { aggregate: "avg", kinds: ["number", "property"] }],
    ["max", { aggregate: "max", kinds: ["number", "time", "property"] }],
    ["min", { aggregate: "min", kinds: ["number", "time", "property"] }],
    ["uniq", { aggregate: "uniq", kinds: ["text", "number", "time", "property"] }],
  ]);

/** The kind of an aggregate's result: times stay times, everything else is a number. */
export function kindOfAggregate(aggregate: Aggregate, kind: ColumnKind | undefined): "number" | "time" {
  return kind === "time" && (aggregate === "max" || aggregate === "min") ? "time" : "number";
}
