import type { Bindings } from "./bindings.ts";
import { propertyField, propertyKeyOf } from "./eventProperties.ts";
import { type FactTable, type Field, findField } from "./fields.ts";
import { type TextComparison, textMatches, textSql } from "./textComparison.ts";
import { withoutIndex } from "./withoutIndex.ts";

/** A condition on rows. `negated` inverts it, for ne, not_contains, not_in and is_not_empty. */
export type Filter = {
  readonly field: string;
  readonly comparison: "equals" | TextComparison;
  readonly negated: boolean;
  /** Alternatives: one match is enough. */
  readonly values: readonly string[];
};

/** How many values an operator compares with; `none` compares with nothing. */
export type ValueCount = "none" | "one" | "many";

type FilterOperator = Pick<Filter, "comparison" | "negated"> & { readonly takes: ValueCount };

const isNothing: FilterOperator = { comparison: "equals", negated: false, takes: "none" };
const isSomething: FilterOperator = { ...isNothing, negated: true };

/** The operators of specification 4.1, and those that people expect beside them. */
export const filterOperators: ReadonlyMap<string, FilterOperator> = new Map<string, FilterOperator>([
  ["eq", { comparison: "equals", negated: false, takes: "one" }],
  ["ne", { comparison: "equals", negated: true, takes: "one" }],
  ["contains", { comparison: "contains", negated: false, takes: "one" }],
  ["not_contains", { comparison: "contains", negated: true, takes: "one" }],
  ["starts_with", { comparison: "starts_with", negated: false, takes: "one" }],
  ["ends_with", { comparison: "ends_with", negated: false, takes: "one" }],
  ["matches", { comparison: "matches", negated: false, takes: "one" }],
  ["in", { comparison: "equals", negated: false, takes: "many" }],
  ["not_in", { comparison: "equals", negated: true, takes: "many" }],
  ["is_empty", isNothing],
  ["is_not_empty", isSomething],
  ["is empty", isNothing],
  ["is not empty", isSomething],
]);

/**
 * The SQL of filters on a table, true where all of them match; undefined without filters. Letter case matters, unless the field ignores it. A
 * negated filter keeps rows without a value: QuestDB compares null like a value, but turns NOT (null > 0) into null <=
 * 0, which is false, hence the coalesce.
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
  return fieldFilterSql(filter, field, bindings, (column) => (filter.negated ? withoutIndex(table, column) : column));
}

/** The SQL of one filter on a field. `inCondition` changes a column for the condition. */
export function fieldFilterSql(
  filter: Omit<Filter, "field">,
  field: Field,
  bindings: Bindings,
  inCondition = (column: string) => column,
): string {
  const columns = (field.filterColumns ?? [field.column]).map(inCondition);
  const matches = columns.map((column) => comparison(column, field, filter, bindings));
  if (filter.comparison === "equals" && filter.values.some((value) => value === "" || value === field.whenEmpty))
    matches.push(isEmpty(inCondition(field.column)));
  const any = `(${matches.join(" OR ")})`;
  return filter.negated ? `NOT ${any}` : any;
}

function comparison(column: string, field: Field, filter: Omit<Filter, "field">, bindings: Bindings): string {
  const { comparison: by } = filter;
  const values = field.ignoresCase ? filter.values.map((value) => value.toLowerCase()) : filter.values;
  const compared = field.ignoresCase ? `lower(${column})` : column;
  if (by === "equals") return equalsSql(compared, values, bindings);
  const text = field.isSymbol ? `${compared}::varchar` : compared;
  return values.map((value) => textSql(text, by, value, bindings)).join(" OR ");
}

/** QuestDB 9.3.4 takes the text `null`, in any letter case, for no value where it is the only one of IN. */
function equalsSql(column: string, values: readonly string[], bindings: Bindings): string {
  return values.length === 1 ? `${column} = ${bindings.bindAll(values)}` : `${column} IN (${bindings.bindAll(values)})`;
}

/** Whether a text matches a filter, by the same rules as the SQL. */
export function matchesText({ comparison, negated, values }: Omit<Filter, "field">, text: string): boolean {
  const isMet = values.some((value) => {
    return comparison === "equals" ? text === value : textMatches(text, comparison, value);
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
