import type { ErrorDetail } from "../../errors/errors.ts";
import { detail, quoted } from "../../errors/problems.ts";
import { nearest } from "../../text/nearest.ts";
import type { QueryType } from "../catalogue/queryType.ts";
import { propertyFilterName, propertyKeyOf, propertyKeyProblem } from "../sql/eventProperties.ts";
import { type FactTable, filterNames } from "../sql/fields.ts";
import type { Filter } from "../sql/filters.ts";

/** Tables whose rows hold the sender's own properties. */
const tablesWithProperties: ReadonlySet<FactTable> = new Set(["events", "outgoing_links"]);

/** Every name that filters of a type may use. */
export function allowedFilters({ table, ownFilters = [] }: Pick<QueryType, "table" | "ownFilters">): string[] {
  return [...filterNames(table), ...ownFilters, ...(tablesWithProperties.has(table) ? [propertyFilterName] : [])];
}

/**
 * Why a type cannot be filtered so. Only that parameter fails: other parameters of the query may well have the field.
 * The message is a whole sentence.
 */
export function refusedFilter(type: QueryType, filters: readonly Filter[]): ErrorDetail | undefined {
  const { name, requiredFilter } = type;
  for (const [index, { field }] of filters.entries()) {
    const problem = filterProblem(type, field);
    if (problem !== undefined) return { field: `filters[${index}].field`, ...problem };
  }
  const isMissing = !filters.some(({ field, ...filter }) => field === requiredFilter && namesValues(filter));
  if (requiredFilter === undefined || !isMissing) return undefined;
  const example = `{"field": "${requiredFilter}", "op": "eq", "value": "…"}`;
  return detail("filters", `${name} needs a filter on ${requiredFilter} with eq or in. Add one, such as ${example}`);
}

/** Why no filter of a type may use a field, as a whole sentence, and the nearest field that one may; undefined where one may. */
export function filterProblem(
  type: Pick<QueryType, "name" | "table" | "ownFilters">,
  field: string,
): Omit<ErrorDetail, "field"> | undefined {
  const allowed = allowedFilters(type);
  const key = tablesWithProperties.has(type.table) ? propertyKeyOf(field) : undefined;
  const keyProblem = key === undefined ? undefined : propertyKeyProblem(key);
  if (key === undefined ? allowed.includes(field) && field !== propertyFilterName : keyProblem === undefined)
    return undefined;
  const suggestion = nearest(field, allowed);
  const meant = suggestion === undefined ? "" : ` Did you mean "${suggestion}"?`;
  return {
    message:
      keyProblem ??
      `Filter on field ${quoted(field)} is not permitted for ${type.name}.${meant} Use one of: ${allowed.join(", ")}`,
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}

/**
 * Whether anyone may filter a public dashboard by a field: not by fields that identify single visitors or hold their
 * events' properties.
 */
export function isPublicFilter(field: string): boolean {
  return propertyKeyOf(field) === undefined && field !== "anonymous_id" && field !== "session_id";
}

/** Whether a filter selects exact values, rather than only excluding some. */
function namesValues({ comparison, negated, values }: Omit<Filter, "field">): boolean {
  return comparison === "equals" && !negated && !values.includes("");
}
