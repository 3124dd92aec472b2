import type { Bindings } from "./bindings.ts";
import { propertyField, propertyKeyOf } from "./eventProperties.ts";
import { type FactTable, type Field, findField } from "./fields.ts";
import { withoutIndex } from "./withoutIndex.ts";

/** A condition on rows. `negated` inverts it, for ne, not_contains and not_in. */
export type Filter = {
  readonly field: string;
  readonly comparison: "equals" | "contains" | "starts_with";
  readonly negated: boolean;
  /** Alternatives: one match is enough. */
  readonly values: readonly string[];
};

/** The operators of specification 4.1. */
export const filterOperators: ReadonlyMap<string, Pick<Filter, "comparison" | "negated"> & { takesMany: boolean }> =
  new Map([
    ["eq", { comparison: "equals", negated: false, takesMany: false }],
    ["ne", { comparison: "equals", negated: true, takesMany: false }],
    ["contains", { comparison: "contains", negated: false, takesMany: false }],
    ["not_contains", { comparison: "contains", negated: true, takesMany: false }],
    ["starts_with", { comparison: "starts_with", negated: false, takesMany: false }],
    ["in", { comparison: "equals", negated: false, takesMany: true }],
    ["not_in", { comparison: "equals", negated: true, takesMany: true }],
  ]);

/**
 * The SQL of filters on a table, true where all of them match; undefined without filters. Letter case matters. A
 * negated filter keeps rows without a value: QuestDB compares null like a value, but turns NOT (null > 0) into null <=
 * 0, which is false, hence the coalesce.
 *
 * Text is searched with strpos and starts_with, which have no wildcards, so values need no escaping.
 */
export function filterSql(filters: readonly Filter[], table: FactTable, bindings: Bindings): string | undefined {
  if (filters.length === 0) return undefined;
  return filters.map((filter) => oneFilter(filter, table, bindings)).join(" AND ");
}

function oneFilter(filter: Filter, table: FactTable, bindings: Bindings): string {
  const key = propertyKeyOf(filter.field);
  const field = key === undefined ? findField(table, filter.field) : propertyField(key, bindings);
  if (field === undefined) throw new Error(`no field ${filter.field} in ${table}`);
  // The index serves conditions that choose rows, not those that exclude some.
  const inCondition = (column: string) => (filter.negated ? withoutIndex(table, column) : column);
  const columns = (field.filterColumns ?? [field.column]).map(inCondition);
  const matches = columns.map((column) => comparison(column, field, filter, bindings));
  if (filter.comparison === "equals" && filter.values.some((value) => value === "" || value === field.whenEmpty))
    matches.push(isEmpty(inCondition(field.column)));
  const any = `(${matches.join(" OR ")})`;
  return filter.negated ? `NOT ${any}` : any;
}

function comparison(column: string, field: Field, filter: Filter, bindings: Bindings): string {
  if (filter.comparison === "equals") return `${column} IN (${bindings.bindAll(filter.values)})`;
  const text = field.isSymbol ? `${column}::varchar` : column;
  return filter.values
    .map((value) =>
      filter.comparison === "contains"
        ? `coalesce(strpos(${text}, ${bindings.bind(value)}), 0) > 0`
        : `starts_with(${text}, ${bindings.bind(value)})`,
    )
    .join(" OR ");
}

/** Whether a text matches a filter, by the same rules as the SQL. */
export function matchesText({ comparison, negated, values }: Omit<Filter, "field">, text: string): boolean {
  const isMet = values.some((value) => {
    if (comparison === "equals") return text === value;
    return comparison === "contains" ? text.includes(value) : text.startsWith(value);
  });
  return isMet !== negated;
}

/** All of the conditions that there are. */
export function allOf(conditions: readonly (string | undefined)[]): string {
  return conditions.filter((condition) => condition !== undefined).join(" AND ");
}

/** Whether a row has no value for a field. */
export function isEmpty(column: string): string {
  return `(${column} IS NULL OR ${column} = '')`;
}
