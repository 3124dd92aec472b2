import { columnsOfTable } from "../../store/questdb/tables.ts";
import type { QueryType } from "../catalogue/queryType.ts";
import { dimensionsOf } from "../catalogue/typeParts.ts";
import type { Buckets } from "../plan/buckets.ts";
import type { ParameterPlan } from "../plan/parameterPlan.ts";
import { isByColumn, sessionsByColumn } from "../sessions/sessionsByColumn.ts";
import { furtherSessions } from "../sessions/severalSessions.ts";
import type { Bindings } from "../sql/bindings.ts";
import { bucketSql } from "../sql/bucketSql.ts";
import { type FactTable, type Field, findField } from "../sql/fields.ts";
import { filterSql } from "../sql/filters.ts";
import { type Grouped, groupedBy, labelled, measureColumns } from "../sql/grouped.ts";
import { eventKinds, type MeasureName, measureOf, rowKinds } from "../sql/measures.ts";
import { accessTo, rowsOf } from "../sql/rowScope.ts";

/**
 * Measures over the rows of a table, by bucket and by the type's dimensions. Groups get their labels afterwards: a
 * SYMBOL groups several times faster than text made from it.
 */
export function groupedRows(
  plan: ParameterPlan,
  buckets: Buckets | undefined,
  table: FactTable,
  names: readonly MeasureName[],
  bindings: Bindings,
): Grouped {
  const { type, stored } = plan;
  const dimensions = dimensionsOf(type);
  const bucketKeys = buckets === undefined ? [] : [bucketSql(buckets, "ts")];
  const conditions = conditionsOf(plan, table, dimensions, bindings);
  const access = plan.filters.length === 0 ? accessTo(plan, "grouped") : "index";
  const byColumn =
    stored !== undefined && isByColumn(type) ? sessionsByColumn(plan, stored, conditions, bindings) : undefined;
  const columns = measureColumns(names, buckets);
  const own = groupedBy(
    [...bucketKeys, ...dimensions.map((field) => (isColumn(field, table) ? field.column : labelled(field)))],
    byColumn === undefined
      ? columns
      : columns.map((column, index) => (names[index] === "active_sessions" ? `0::long AS m${index}` : column)),
    [rowsOf(table, plan, bindings, access), ...conditions].join(" AND "),
  );
  const labels = own.keys.map((key, index) => {
    const field = dimensions[index - bucketKeys.length];
    return field !== undefined && isColumn(field, table) ? `coalesce(${key}, '${field.whenEmpty}')` : key;
  });
  if (!names.includes("active_sessions")) {
    const keys = labels.map((label, index) => `${label} AS k${index}`);
    const selected = [...keys, ...names.map((_, index) => `m${index}`)].join(", ");
    return { sql: `SELECT ${selected} FROM (${own.sql})`, keys: own.keys };
  }
  const sessions = (byColumn ?? [furtherSessions(plan, dimensions, conditions, bindings)]).map(({ count, from }) =>
    groupedBy(
      [...bucketKeys, ...dimensions.map((_, index) => `g${index}`)],
      names.map((name, index) => `${name === "active_sessions" ? count : nothing(name)} AS m${index}`),
      from,
    ),
  );
  // QuestDB 9.3.4 treats a VARCHAR read from Parquet as different from an equal one written as a line, when it groups
  // more than two figures; casts make them equal.
  return groupedBy(
    labels.map((label, index) => (index < bucketKeys.length ? label : `${label}::string::varchar`)),
    names.map((name, index) => `${name === "active_sessions" ? "sum" : "max"}(m${index}) AS m${index}`),
    `(${[own, ...sessions].map(({ sql }) => sql).join(" UNION ALL ")})`,
  );
}

/** The value of other measures in rows that only add sessions to a group. */
function nothing(name: MeasureName): string {
  const { format } = measureOf(name);
  return format === "time" ? "null::timestamp" : format === "count" ? "null::long" : "null::double";
}

/** Whether a field is a plain text column, which holds no empty texts, and not an expression. */
function isColumn({ column }: Field, table: FactTable): boolean {
  return column in columnsOfTable[table];
}

/**
 * Which rows of a table count: those of the type's kind, with a value of the first dimension where one is needed, that
 * the filters select. Filters on fields that the table lacks are left out, unless it is the type's own.
 */
function conditionsOf(
  { type, filters }: ParameterPlan,
  table: FactTable,
  [first]: readonly Field[],
  bindings: Bindings,
): string[] {
  const { shape } = type;
  const needsValue = shape.kind === "table" && shape.withoutValue !== undefined && first !== undefined;
  const hasValue = `${first?.column} IS NOT NULL`;
  const known = filters.filter(({ field }) => table === type.table || findField(table, field) !== undefined);
  return [
    only(type, table),
    needsValue ? (shape.withoutValue === "none" ? hasValue : `(${eventKinds.page_view} OR ${hasValue})`) : undefined,
    filterSql(known, table, bindings),
  ].filter((condition) => condition !== undefined);
}

/** The condition of a type that counts only some rows of a table. */
export function only(type: Pick<QueryType, "only">, table: FactTable): string | undefined {
  const kind = type.only === undefined ? undefined : rowKinds[type.only];
  return kind?.table === table ? kind.sql : undefined;
}
