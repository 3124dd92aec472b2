import { filterOperators, type ValueCount } from "../sql/filters.ts";
import type { TextComparison } from "../sql/textComparison.ts";
import type { ColumnKind } from "./customTable.ts";

/** How a condition compares. */
export type Comparison =
  | { readonly by: "equals" | TextComparison; readonly negated: boolean }
  | { readonly by: "order"; readonly sign: ">" | "<" | ">=" | "<=" };

export type CustomOperator = {
  readonly comparison: Comparison;
  readonly takes: ValueCount;
  readonly kinds: readonly ColumnKind[];
};

const texts: readonly ColumnKind[] = ["text", "property"];
const orderedKinds: readonly ColumnKind[] = ["number", "time", "property"];

/** The operators of filters (specification 4.1), and those that compare by size. */
export const customOperators: ReadonlyMap<string, CustomOperator> = new Map([
  ...[...filterOperators].map(([name, { comparison: by, negated, takes }]): [string, CustomOperator] => [
    name,
    {
      comparison: { by, negated },
      takes,
      kinds: by === "equals" ? [...texts, "number", "time"] : texts,
    },
  ]),
  ...(
    [
      ["gt", ">"],
      ["lt", "<"],
      ["gte", ">="],
      ["lte", "<="],
    ] as const
  ).map(([name, sign]): [string, CustomOperator] => [
    name,
    { comparison: { by: "order", sign }, takes: "one", kinds: orderedKinds },
  ]),
]);
