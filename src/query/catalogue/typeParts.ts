import { type FactTable, type Field, findField } from "../sql/fields.ts";
import { type MeasureName, rowKinds } from "../sql/measures.ts";
import type { CountedType, QueryType } from "./queryType.ts";

/** The measures of a type, each once, in the order of its fields. */
export function measuresOf(type: QueryType): MeasureName[] {
  const names = type.fields.flatMap(({ from }) =>
    "measure" in from ? [from.measure] : "share" in from ? [from.share] : "ratio" in from ? from.ratio : [],
  );
  return [...new Set(names)];
}

/** The fields that a type groups by. */
export function dimensionsOf({ shape, table, name }: CountedType): Field[] {
  const names = shape.kind === "table" ? shape.dimensions : shape.kind === "split_series" ? [shape.dimension] : [];
  return names.map((dimension) => {
    const field = findField(table, dimension);
    if (field === undefined) throw new Error(`query type ${name} groups by ${dimension}, which ${table} lacks`);
    return field;
  });
}

/** The dimension of which rows must have a value, for types that leave out those without one. */
export function requiredDimension(type: CountedType): Field | undefined {
  const { shape } = type;
  return shape.kind === "table" && shape.withoutValue === "none" ? dimensionsOf(type)[0] : undefined;
}

/** The condition of a type that counts only some rows of a table. */
export function only(type: Pick<QueryType, "only">, table: FactTable): string | undefined {
  const kind = type.only === undefined ? undefined : rowKinds[type.only];
  return kind?.table === table ? kind.sql : undefined;
}
