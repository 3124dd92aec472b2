import { type Field, findField } from "../sql/fields.ts";
import type { MeasureName } from "../sql/measures.ts";
import type { QueryType } from "./queryType.ts";

/** The measures of a type, each once, in the order of its fields. */
export function measuresOf(type: QueryType): MeasureName[] {
  const names = type.fields.flatMap(({ from }) =>
    "measure" in from ? [from.measure] : "share" in from ? [from.share] : "ratio" in from ? from.ratio : [],
  );
  return [...new Set(names)];
}

/** The fields that a type groups by. */
export function dimensionsOf({ shape, table, name }: QueryType): Field[] {
  const names = shape.kind === "table" ? shape.dimensions : shape.kind === "split_series" ? [shape.dimension] : [];
  return names.map((dimension) => {
    const field = findField(table, dimension);
    if (field === undefined) throw new Error(`query type ${name} groups by ${dimension}, which ${table} lacks`);
    return field;
  });
}
