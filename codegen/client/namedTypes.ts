import { timeFields } from "./timeFields.ts";
import type { ValueSet } from "./valueSets.ts";

/** Texts of the contract that name a field of the catalogue, and their types in the TypeScript client's filterFields.ts. */
const queryFields: Readonly<Record<string, string>> = {
  "QueryFilter.field": "FilterField",
  "SegmentFilter.field": "FilterField",
  "QueryParameter.split_by": "VisitField",
  "Funnel.split_by": "EventField",
  "GoalsQuery.split_by": "EventField",
};

/** A type of the TypeScript client, and its file without the ending. */
export type NamedType = { readonly type: string; readonly file: string };

/** The types of texts that are more than a string, by field: `<message>.<name in the proto>`. */
export function namedTypes(sets: readonly ValueSet[]): ReadonlyMap<string, NamedType> {
  const types = [
    ...sets.flatMap(({ name, fields }) => fields.map((field) => ({ field, type: name, file: "valueSets" }))),
    ...Object.entries(queryFields).map(([field, type]) => ({ field, type, file: "filterFields" })),
    ...timeFields.map((field) => ({ field, type: "TextTime", file: "textTimes" })),
  ];
  return new Map(types.map(({ field, ...named }) => [field, named]));
}
