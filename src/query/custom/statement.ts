import type { BoundValue } from "../../store/questdb/questdbReader.ts";
import { timeColumnOf } from "../../store/questdb/rowTime.ts";
import { isMissing } from "../shapes/measuredStatement.ts";
import { Bindings } from "../sql/bindings.ts";
import { bucketSql } from "../sql/bucketSql.ts";
import type { Buckets } from "../sql/buckets.ts";
import { isEmpty } from "../sql/filters.ts";
import { rowsOf } from "../sql/rowScope.ts";
import { kindOfAggregate } from "./aggregates.ts";
import { columnSql, comparedSql, conditionSql } from "./conditionSql.ts";
import type { CustomPlan, Place, PlannedMeasure } from "./customPlan.ts";
import type { ColumnKind } from "./customTable.ts";

/**
 * The one statement of a structured query. Its columns are `k0`, `k1` … the keys, `m0`, `m1` … the measures and `bucket`, the number of the
 * bucket; the caller's names of fields are given to them afterwards. Pure.
 */
export function customStatement(
  plan: CustomPlan,
  websiteIds: readonly string[],
  buckets: Buckets | undefined,
): { readonly sql: string; readonly values: readonly BoundValue[] } {
  const bindings = new Bindings();
  const time = timeColumnOf(plan.table.table);
  const columns = [
    ...(buckets === undefined ? [] : [`${bucketSql(buckets, time)} AS bucket`]),
    ...plan.keys.map((column, index) => `${columnSql(column, bindings)} AS k${index}`),
    ...plan.measures.map((measure, index) => `${measureSql(measure, bindings)} AS m${index}`),
    ...(plan.isGrouped ? [] : [`${time} AS at, ${plan.table.key} AS tie`]),
  ];
  const conditions = [
    ...(plan.table.only === undefined ? [] : [plan.table.only]),
    ...plan.filters.map(({ column, condition }) =>
      conditionSql(comparedSql(plan.table.table, column, bindings), column.kind, condition, bindings),
    ),
  ];
  const from = [rowsOf(plan.table.table, { websiteIds, range: plan.range }, bindings), ...conditions].join(" AND ");
  const groups = [...(buckets === undefined ? [] : ["bucket"]), ...plan.keys.map((_, index) => `k${index}`)];
  const groupBy = plan.isGrouped && groups.length > 0 ? ` GROUP BY ${groups.join(", ")}` : "";
  const having = plan.having.map(({ at, condition }) =>
    conditionSql(placeSql(at), placeKind(plan, at), condition, bindings),
  );
  const where = having.length === 0 ? "" : ` WHERE ${having.join(" AND ")}`;
  const order = orderOf(plan, groups);
  const missing = order
    .map(({ column, mayMiss }, index) => (mayMiss ? `, ${isMissing(column)} AS n${index}` : ""))
    .join("");
  const places = order.flatMap(({ column, descending, mayMiss }, index) => [
    ...(mayMiss ? [`n${index}`] : []),
    `${column}${descending ? " DESC" : ""}`,
  ]);
  const orderBy = places.length === 0 ? "" : ` ORDER BY ${places.join(", ")}`;
  const rows = `SELECT *${missing} FROM (SELECT ${columns.join(", ")} FROM ${from}${groupBy})${where}`;
  const sql = `SELECT * FROM (${rows})${orderBy} LIMIT ${bindings.bind(plan.limit)}`;
  return { sql, values: bindings.values };
}

/** The requested order; then time buckets and the first measure, largest first, or the time; finally columns that break all ties. */
function orderOf(plan: CustomPlan, groups: readonly string[]): Ordered[] {
  const chosen = plan.order.map(({ at, descending }) => ({
    column: placeSql(at),
    descending,
    mayMiss: placeKind(plan, at) === "number",
  }));
  if (!plan.isGrouped) return [...chosen, plain("at"), plain("tie")];
  const usual =
    groups.length === 0 || plan.measures.length === 0 ? [] : [{ column: "m0", descending: true, mayMiss: true }];
  const [first = "", ...others] = groups;
  if (first === "bucket") return [...chosen, plain(first), ...usual, ...others.map(plain)];
  return [...chosen, ...usual, ...groups.map(plain)];
}

/** A column to order by; rows without a value come last. */
type Ordered = { readonly column: string; readonly descending: boolean; readonly mayMiss: boolean };

function plain(column: string): Ordered {
  return { column, descending: false, mayMiss: false };
}

function placeSql(at: Place): string {
  if ("bucket" in at) return "bucket";
  return "key" in at ? `k${at.key}` : `m${at.measure}`;
}

/** The kind of the values at an index of the result. A bucket is named, not compared. */
export function placeKind(plan: Pick<CustomPlan, "keys" | "measures">, at: Place): ColumnKind {
  if ("bucket" in at) return "text";
  if ("key" in at) return plan.keys[at.key]?.kind ?? "text";
  const measure = plan.measures[at.measure];
  return measure === undefined ? "number" : kindOfAggregate(measure.aggregate, measure.column?.kind);
}

function measureSql({ aggregate, column }: PlannedMeasure, bindings: Bindings): string {
  if (column === undefined) return "count()";
  const sql = columnSql(column, bindings);
  const number = column.kind === "property" ? `${sql}::double` : sql;
  switch (aggregate) {
    case "count":
      return `sum(CASE WHEN ${column.kind === "number" || column.kind === "time" ? `${sql} = null` : isEmpty(sql)} THEN 0 ELSE 1 END)`;
    case "uniq":
      return `count_distinct(${column.kind === "number" ? `${sql}::varchar` : column.kind === "time" ? `${sql}::long` : sql})`;
    default:
      return `${aggregate}(${number})`;
  }
}
