import { columnsOfTable } from "../../store/questdb/tables.ts";
import type { QueryType, Shape } from "../catalogue/queryType.ts";
import type { Buckets } from "../plan/buckets.ts";
import type { ParameterPlan } from "../plan/parameterPlan.ts";
import { severalSessionsSource } from "../sql/activeSessions.ts";
import type { Bindings } from "../sql/bindings.ts";
import { bucketSql, bucketStarts } from "../sql/bucketSql.ts";
import { type FactTable, type Field, findField } from "../sql/fields.ts";
import { type Filter, filterSql } from "../sql/filters.ts";
import { type Grouped, groupedBy, labelled, measureColumns } from "../sql/grouped.ts";
import { countWhere, eventKinds, type MeasureName, measureOf, rowKinds } from "../sql/measures.ts";
import { accessTo, rowsOf } from "../sql/rowScope.ts";
import { groupingOf, sessionGroups } from "../stored/storedGroups.ts";

/** Measures over the rows of a table, by bucket and by the type's dimensions. */
export function groupedRows(
  plan: ParameterPlan,
  buckets: Buckets | undefined,
  table: FactTable,
  names: readonly MeasureName[],
  bindings: Bindings,
): Grouped {
  const { type } = plan;
  const dimensions = dimensionsOf(type);
  const bucketKeys = buckets === undefined ? 0 : 1;
  const ofDimensions = dimensions.map((field, index) => label(field, table, bucketKeys + index));
  if (!names.includes("active_sessions")) {
    const starts = buckets === undefined ? undefined : bucketStarts(buckets, "ts");
    const rows = ownRows(plan, buckets, table, measureColumns(names, buckets), bindings, starts?.key);
    const labels = [...(buckets === undefined ? [] : [starts?.number("k0") ?? "k0"]), ...ofDimensions];
    if (labels.every((text, index) => text === rows.keys[index])) return rows;
    const columns = [...labels.map((text, index) => `${text} AS k${index}`), ...names.map((_, index) => `m${index}`)];
    return { sql: `SELECT ${columns.join(", ")} FROM (${rows.sql})`, keys: rows.keys };
  }
  const labels = [...(buckets === undefined ? [] : ["k0"]), ...ofDimensions.map(comparable)];
  const parts = withSessions(plan, buckets, names, bindings);
  const sums = names.map((name, index) => `${name === "active_sessions" ? "sum" : "max"}(m${index}) AS m${index}`);
  return groupedBy(labels, sums, `(${parts.join(" UNION ALL ")})`);
}

/** The figures of events, and separately the further sessions, each as a statement with the same keys and measures. */
function withSessions(
  plan: ParameterPlan,
  buckets: Buckets | undefined,
  names: readonly MeasureName[],
  bindings: Bindings,
): string[] {
  const { type, stored } = plan;
  const dimensions = dimensionsOf(type);
  const columns = measureColumns(names, buckets);
  const kind = only(type, "events");
  const value = withValue(type.shape, dimensions);
  const chosen = filterSql(plan.filters, "events", bindings);
  if (stored === undefined || groupingOf(type, dimensions) === undefined) {
    const own = ownRows(plan, buckets, "events", columns, bindings);
    const conditions = [kind, value, chosen].filter((condition) => condition !== undefined);
    const rows = rowsOf("events", plan, bindings, accessTo(plan, "grouped"));
    const found = dimensions.map((_, index) => `g${index}`);
    const missed = groupedBy(
      [...(buckets === undefined ? [] : [bucketSql(buckets, "ts")]), ...found],
      names.map((name, index) => `${name === "active_sessions" ? furtherSessions : nothing(name)} AS m${index}`),
      severalSessionsSource(plan, rows, dimensions, conditions, bindings),
    );
    return [own.sql, missed.sql];
  }
  const withoutSessions = columns.map((column, index) =>
    names[index] === "active_sessions" ? `0::long AS m${index}` : column,
  );
  const counted = groupingOf(type, dimensions) === "events" ? columns : withoutSessions;
  const own = ownRows(plan, buckets, "events", counted, bindings);
  const conditions = [kind, value].filter((condition) => condition !== undefined);
  const groups = sessionGroups(plan, stored, { buckets, dimensions, conditions }, bindings);
  const keys = [...(buckets === undefined ? [] : ["bucket"]), ...dimensions.map((_, index) => `g${index}::varchar`)];
  const selected = [
    ...keys.map((key, index) => `${key} AS k${index}`),
    ...names.map((name, index) => `${name === "active_sessions" ? "sessions" : nothing(name)} AS m${index}`),
  ].join(", ");
  return [own.sql, ...groups.map((group) => `SELECT ${selected} FROM (${group}) WHERE sessions > 0`)];
}

/** Sessions of a group beyond the first of each session key. */
const furtherSessions = "count_distinct(session) - count_distinct(session_key)";

/** The rows of a table that count, grouped, before groups get their labels. */
function ownRows(
  plan: ParameterPlan,
  buckets: Buckets | undefined,
  table: FactTable,
  measured: readonly string[],
  bindings: Bindings,
  bucketStart?: string,
): Grouped {
  const { type } = plan;
  const dimensions = dimensionsOf(type);
  const kind = only(type, table);
  // Where all rows are of one kind the kind need not be checked for each.
  const columns = measured.map((column) =>
    kind === undefined ? column : column.replace(`${countWhere(kind)} AS `, "count() AS "),
  );
  const value = withValue(type.shape, dimensions);
  const chosen = filterSql(filtersOn(table, plan), table, bindings);
  const bucketKey = buckets === undefined ? [] : [bucketStart ?? bucketSql(buckets, "ts")];
  const keys = [...bucketKey, ...dimensions.map((field) => groupKey(field, table))];
  const access = plan.filters.length === 0 ? accessTo(plan, "grouped") : "index";
  const conditions = [rowsOf(table, plan, bindings, access), kind, value, chosen];
  return groupedBy(keys, columns, conditions.filter((condition) => condition !== undefined).join(" AND "));
}

/**
 * The group key of a field. A column is grouped as it is, since a SYMBOL groups several times faster than text made
 * from it, and is labelled afterwards: no column holds empty texts.
 */
function groupKey(field: Field, table: FactTable): string {
  return isColumn(field, table) ? field.column : labelled(field);
}

/** The label of a group by the key of `groupKey`. */
function label(field: Field, table: FactTable, index: number): string {
  return isColumn(field, table) ? `coalesce(k${index}, '${field.whenEmpty}')` : `k${index}`;
}

/**
 * A text that groups with equal texts whatever its source. QuestDB 9.3.4 treats a VARCHAR read from Parquet as
 * different from an equal one written as a line, when it groups more than two figures.
 */
function comparable(text: string): string {
  return `${text}::string::varchar`;
}

/** Whether a field is a plain text column and not an expression. */
function isColumn({ column }: Field, table: FactTable): boolean {
  return column in columnsOfTable[table];
}

/** The value of other measures in rows that only add sessions to a group. */
function nothing(name: MeasureName): string {
  const { format } = measureOf(name);
  return format === "time" ? "null::timestamp" : format === "count" ? "null::long" : "null::double";
}

/** The condition of a type that counts only some rows of a table. */
export function only(type: Pick<QueryType, "only">, table: FactTable): string | undefined {
  const kind = type.only === undefined ? undefined : rowKinds[type.only];
  return kind?.table === table ? kind.sql : undefined;
}

/**
 * The filters for the rows of a table. The base of a rate may be in another table, which lacks some of the type's
 * fields.
 */
function filtersOn(table: FactTable, { type, filters }: ParameterPlan): readonly Filter[] {
  return table === type.table ? filters : filters.filter(({ field }) => findField(table, field) !== undefined);
}

/** Which rows without a value of the first dimension count. */
function withValue(shape: Shape, [first]: readonly Field[]): string | undefined {
  if (shape.kind !== "table" || shape.withoutValue === undefined || first === undefined) return undefined;
  const hasValue = `${first.column} IS NOT NULL`;
  return shape.withoutValue === "none" ? hasValue : `(${eventKinds.page_view} OR ${hasValue})`;
}

/** The fields that a type groups by. */
export function dimensionsOf({ shape, table, name }: QueryType): Field[] {
  const names = shape.kind === "table" ? shape.dimensions : shape.kind === "split_series" ? [shape.dimension] : [];
  return names.map((dimension) => {
    const field = findField(table, dimension);
    if (field === undefined) throw new Error(`query type ${name} groups by ${dimension}, which ${table} lacks`);
    return field;
  });
}
