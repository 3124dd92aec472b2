import type { FilterField } from "../../../../../../packages/client-js/src/filterFields.ts";
import type { Filter } from "../../../../../../packages/client-js/src/query.ts";
import { filterFields, type NamedRows } from "./filterFields.ts";
import { propertyField, propertyKeyOf } from "./propertyField.ts";

/** Where the known values of a field come from. */
export type ValueSource = {
  /** The field that a search filters by. */
  readonly field: FilterField;
  readonly type: NamedRows | "custom_event_properties" | "custom_events_property_cardinality";
  /** The rows of the type that are about the field; all of them without it. */
  readonly within?: Filter;
  /** Whether values are shown under other names, so that the service cannot search them. */
  readonly isNamed?: true;
};

/** The keys of properties that events have. */
export const propertyKeys: ValueSource = { field: "property_key", type: "custom_events_property_cardinality" };

/** The source of the values of a filter's field; undefined where none is known, as for a property without a key. */
export function valueSourceOf(field: string): ValueSource | undefined {
  const key = propertyKeyOf(field);
  if (key === undefined) return filterFields.find((one) => one.field === field);
  if (key === "") return undefined;
  return {
    field: propertyField(key),
    type: "custom_event_properties",
    within: { field: "property_key", op: "eq", value: key },
  };
}

type ValueRow =
  | { readonly property_value: string }
  | { readonly property_key: string }
  | { readonly name: string }
  | { readonly path: string };

/** The value of a row of a source. Rows of property values also have the name of their event. */
export function valueOfRow(row: ValueRow): string {
  if ("property_value" in row) return row.property_value;
  if ("property_key" in row) return row.property_key;
  return "name" in row ? row.name : row.path;
}
