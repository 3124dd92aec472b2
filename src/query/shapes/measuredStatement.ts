import type { BoundValue } from "../../store/questdb/questdbReader.ts";
import type { CountedType } from "../catalogue/queryType.ts";
import { dimensionsOf, measuresOf } from "../catalogue/typeParts.ts";
import type { ParameterPlan } from "../plan/parameterPlan.ts";
import { Bindings } from "../sql/bindings.ts";
import { bucketSql } from "../sql/bucketSql.ts";
import type { Buckets } from "../sql/buckets.ts";
import { filterSql } from "../sql/filters.ts";
import { type Grouped, groupedBy, measureColumns } from "../sql/grouped.ts";
import { type MeasureName, measureOf, type Relation } from "../sql/measures.ts";
import { rowsOf } from "../sql/rowScope.ts";
import { eventFilters } from "../visits/splitFilters.ts";
import { textsOf } from "../visits/visitColumns.ts";
import { selectedVisits } from "../visits/visitEvents.ts";
import type { VisitScope } from "../visits/visitsSql.ts";
import { fieldColumn } from "./fieldColumn.ts";
import { groupedRows } from "./groupedRows.ts";

/**
 * A statement and its columns: `k0`, `k1` … are the keys, `m0`, `m1` … the measures in this order, `total` the base of
 * shares.
 */
export type Statement = {
  readonly sql: string;
  readonly values: readonly BoundValue[];
  readonly measures: readonly MeasureName[];
};

/**
 * The statements that answer a parameter: one for each relation its measures are taken over. A table has one.
 * `buckets` are those of a series.
 */
export function statementsOf(plan: ParameterPlan, buckets: Buckets | undefined): Statement[] {
  const byRelation = Map.groupBy(measuresOf(plan.type), (name) => measureOf(name).relation);
  return [...byRelation].map(([relation, names]) => statementOf(plan, buckets, relation, names));
}

function statementOf(
  plan: ParameterPlan,
  buckets: Buckets | undefined,
  relation: Relation,
  names: readonly MeasureName[],
): Statement {
  const bindings = new Bindings();
  const { sql, keys } = relationRows(plan, buckets, relation, names, bindings);
  return {
    sql: plan.type.shape.kind === "table" ? pageOf(sql, plan, names, keys, bindings) : sql,
    values: bindings.values,
    measures: names,
  };
}

/** Measures over one relation, by bucket and by the type's dimensions: the keys `k0`, `k1` …, then `m0`, `m1` … for the names. */
export function relationRows(
  plan: VisitScope & { readonly type: CountedType },
  buckets: Buckets | undefined,
  relation: Relation,
  names: readonly MeasureName[],
  bindings: Bindings,
): Grouped {
  const bucketKeys = (time: string) => (buckets === undefined ? [] : [bucketSql(buckets, time)]);
  const columns = measureColumns(names, buckets).map((column, index) =>
    // Beside page views that a filter selects, those of whole visits would contradict them.
    names[index] === "pages_per_session" && eventFilters(plan.filters).length > 0
      ? `null::double AS m${index}`
      : column,
  );
  // Slots have no dimensions.
  if (relation === "uptime_slots") return groupedBy(bucketKeys("ts"), columns, slotsSource(plan, bindings));
  if (relation !== "sessions") return groupedRows(plan, buckets, relation, names, bindings);
  const dimensions = dimensionsOf(plan.type);
  const values = dimensions.map(({ column, whenEmpty }) => `coalesce(${column}, '${whenEmpty}')::varchar`);
  const need = plan.type.only === "page_view" ? "pageViews" : undefined;
  const visits = selectedVisits(plan, textsOf(dimensions), bindings, need);
  return groupedBy([...bucketKeys("started"), ...values], columns, `(${visits})`);
}

/** Sorts rows without ties, cuts them to the page, and adds the total that shares are computed from. */
export function pageOf(
  sql: string,
  plan: ParameterPlan,
  names: readonly MeasureName[],
  keys: readonly string[],
  bindings: Bindings,
): string {
  const shared = plan.type.fields
    .map(({ from }) => ("share" in from ? names.indexOf(from.share) : -1))
    .find((index) => index >= 0);
  const total = shared === undefined ? "" : `, sum(m${shared}) OVER () AS total`;
  const counts = names.flatMap((name, index) => (measureOf(name).format === "count" ? [`m${index} DESC`] : []));
  const chosen = chosenOrder(plan, names);
  const missing = chosen?.column.startsWith("m") ? `, ${isMissing(chosen.column)} AS missing` : "";
  const asked = chosen === undefined ? [] : [`${chosen.column}${chosen.descending ? " DESC" : ""}`];
  const order = [...(missing === "" ? [] : ["missing"]), ...asked, ...counts, ...keys].join(", ");
  return `SELECT * FROM (SELECT *${total}${missing} FROM (${sql})) ORDER BY ${order} ${bindings.bindPage(plan)}`;
}

/** The column to sort by before the usual order: the requested one, else the type's own. */
function chosenOrder({ type: { shape, fields }, order }: ParameterPlan, names: readonly MeasureName[]) {
  if (order === undefined && shape.kind === "table" && shape.largestFirst !== undefined)
    return { column: `m${names.indexOf(shape.largestFirst)}`, descending: true };
  const chosen = fields.find(({ name }) => name === order?.field);
  const column = chosen === undefined ? undefined : fieldColumn(chosen.from, names);
  return column === undefined ? undefined : { column, descending: order?.descending ?? false };
}

/**
 * A column that is 1 where another is null, to sort by first: averages without a value would otherwise come first in
 * descending order. It must be a column: with an expression in ORDER BY, QuestDB 9.3.4 leaves the VARCHAR keys after it
 * unsorted.
 */
export function isMissing(column: string): string {
  return `CASE WHEN ${column} = null THEN 1 ELSE 0 END`;
}

/**
 * The slots of monitors, as the text after FROM: `ts`, `interval_ms`, and `down`, which is 1 for a slot that its
 * regions decided to be down. A slot without an answer from any region has no row. A filter selects checks; a slot
 * counts when one of its checks is selected.
 */
function slotsSource(plan: VisitScope, bindings: Bindings): string {
  const conditions = [rowsOf("uptime_checks", plan, bindings), filterSql(plan.filters, "uptime_checks", bindings)];
  return (
    "(SELECT ts, monitor_id, max(interval_ms) interval_ms, max(CASE WHEN slot_status = 'down' THEN 1 ELSE 0 END) down " +
    `FROM ${conditions.filter((condition) => condition !== undefined).join(" AND ")} GROUP BY ts, monitor_id)`
  );
}
