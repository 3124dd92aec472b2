import type { CountedType } from "../catalogue/queryType.ts";
import { dimensionsOf, only, requiredDimension } from "../catalogue/typeParts.ts";
import type { Bindings } from "../sql/bindings.ts";
import type { Buckets } from "../sql/buckets.ts";
import { type FactTable, findField } from "../sql/fields.ts";
import { type Filter, filterSql } from "../sql/filters.ts";
import { type Grouped, labelledGroups } from "../sql/grouped.ts";
import type { MeasureName } from "../sql/measures.ts";
import { accessTo, rowsOf } from "../sql/rowScope.ts";
import { groupedEvents } from "../visits/groupedEvents.ts";
import { ownFilters, rowsWithinVisits } from "../visits/rowsWithinVisits.ts";
import type { VisitScope } from "../visits/visitsSql.ts";

/**
 * Measures over the rows of a table, by bucket and by the type's dimensions. Groups get their labels afterwards: a
 * SYMBOL groups several times faster than text made from it.
 */
export function groupedRows(
  plan: VisitScope & { readonly type: CountedType },
  buckets: Buckets | undefined,
  table: FactTable,
  names: readonly MeasureName[],
  bindings: Bindings,
): Grouped {
  const { type } = plan;
  const dimensions = dimensionsOf(type);
  if (table === "events" || table === "outgoing_links")
    return groupedEvents({ ...plan, filters: filtersOf(plan, table) }, buckets, table, names, bindings);
  const required = requiredDimension(type);
  const conditions = [
    only(type, table),
    required === undefined ? undefined : `${required.column} IS NOT NULL`,
    filterSql(ownFilters(filtersOf(plan, table), table), table, bindings),
  ].filter((condition) => condition !== undefined);
  const access = plan.filters.length === 0 ? accessTo(plan, "grouped") : "index";
  const rows = [rowsOf(table, plan, bindings, access), ...conditions].join(" AND ");
  const from = rowsWithinVisits({ ...plan, filters: filtersOf(plan, table) }, table, rows, bindings);
  return labelledGroups(buckets, dimensions, table, names, from);
}

/** Filters on fields that the table lacks are left out, unless it is the type's own. */
function filtersOf({ type, filters }: Parameters<typeof groupedRows>[0], table: FactTable): readonly Filter[] {
  return filters.filter(({ field }) => table === type.table || findField(table, field) !== undefined);
}
