import type { BoundValue } from "../store/questdbReader.ts";
import { severalSessionsSource } from "./activeSessions.ts";
import { Bindings } from "./bindings.ts";
import type { Buckets } from "./buckets.ts";
import type { QueryType, Shape } from "./catalogue/queryType.ts";
import { fieldColumn } from "./fieldColumn.ts";
import { type FactTable, type Field, findField } from "./fields.ts";
import { type Filter, filterSql, isEmpty } from "./filters.ts";
import { eventKinds, type MeasureName, measureOf, type Relation, rowKinds } from "./measures.ts";
import type { ParameterPlan } from "./parameterPlan.ts";
import { rowsOf } from "./rowScope.ts";
import { sessionsSource } from "./sessionsSource.ts";
import { slotsSource } from "./slotsSource.ts";
import { groupingOf, sessionGroups, untoldSql } from "./stored/storedGroups.ts";
import { areStored, storedSessionsSource } from "./stored/storedSessionsSource.ts";

/** A statement and what its columns are: `k0`, `k1` … the keys, `m0`, `m1` … these measures, `total` what shares are taken of. */
export type Statement = {
  readonly sql: string;
  readonly values: readonly BoundValue[];
  readonly measures: readonly MeasureName[];
};

/**
 * The statements that answer a parameter: one for each relation its measures are taken over, so one for a table. `buckets` are those
 * of a series.
 */
export function statementsOf(plan: ParameterPlan, buckets: Buckets | undefined): Statement[] {
  const byRelation = Map.groupBy(measuresOf(plan.type), (name) => measureOf(name).relation);
  return [...byRelation].map(([relation, names]) => statementOf(plan, buckets, relation, names));
}

/** The measures of a type, each once, in the order of its fields. */
export function measuresOf(type: QueryType): MeasureName[] {
  const names = type.fields.flatMap(({ from }) =>
    "measure" in from ? [from.measure] : "share" in from ? [from.share] : "ratio" in from ? from.ratio : [],
  );
  return [...new Set(names)];
}

function statementOf(
  plan: ParameterPlan,
  buckets: Buckets | undefined,
  relation: Relation,
  names: readonly MeasureName[],
): Statement {
  const bindings = new Bindings();
  const { sql, keys } =
    relation === "sessions"
      ? groupedSessions(plan, buckets, names, bindings)
      : relation === "uptime_slots"
        ? groupedSlots(plan, buckets, names, bindings)
        : groupedRows(plan, buckets, relation, names, bindings);
  return {
    sql: plan.type.shape.kind === "table" ? pageOf(sql, plan, names, keys, bindings) : sql,
    values: bindings.values,
    measures: names,
  };
}

/** A statement with a row for each combination of its keys `k0`, `k1` …. */
type Grouped = { readonly sql: string; readonly keys: readonly string[] };

function groupedBy(keySqls: readonly string[], columns: readonly string[], from: string): Grouped {
  const keys = keySqls.map((_, index) => `k${index}`);
  const all = [...keySqls.map((key, index) => `${key} AS k${index}`), ...columns];
  const groups = keys.length === 0 ? "" : ` GROUP BY ${keys.join(", ")}`;
  return { sql: `SELECT ${all.join(", ")} FROM ${from}${groups}`, keys };
}

function measureColumns(names: readonly MeasureName[], buckets: Buckets | undefined): string[] {
  return names.map((name, index) => {
    const { sql, inSeries = sql } = measureOf(name);
    return `${buckets === undefined ? sql : inSeries} AS m${index}`;
  });
}

function bucketKeys(buckets: Buckets | undefined, time: string): string[] {
  return buckets === undefined ? [] : [bucketSql(buckets, time)];
}

/** Whether stored sessions can take part in the answers of a type. */
export function usesStoredSessions(type: QueryType): boolean {
  if (!["summary", "series", "table"].includes(type.shape.kind)) return false;
  const names = measuresOf(type);
  const ofSessions = names.filter((name) => measureOf(name).relation === "sessions");
  if (ofSessions.length > 0) return areStored(type, dimensionsOf(type), ofSessions);
  return names.includes("active_sessions") && groupingOf(type, dimensionsOf(type)) !== undefined;
}

/** The condition on stored sessions that a type must ask events about; undefined where it counts no sessions of groups. */
export function untoldOf(type: QueryType): string | undefined {
  return measuresOf(type).includes("active_sessions") ? untoldSql(type, dimensionsOf(type)) : undefined;
}

function groupedSessions(
  plan: ParameterPlan,
  buckets: Buckets | undefined,
  names: readonly MeasureName[],
  bindings: Bindings,
): Grouped {
  const dimensions = dimensionsOf(plan.type);
  const values = dimensions.map(({ whenEmpty }, index) => `coalesce(g${index}, '${whenEmpty}')`);
  const condition = only(plan.type, "events");
  const source =
    plan.stored === undefined
      ? sessionsSource(plan, dimensions, condition, bindings)
      : storedSessionsSource(plan, plan.stored, dimensions, condition, bindings);
  return groupedBy([...bucketKeys(buckets, "started"), ...values], measureColumns(names, buckets), source);
}

/** Slots are told of in all or by bucket, never by dimension. */
function groupedSlots(
  plan: ParameterPlan,
  buckets: Buckets | undefined,
  names: readonly MeasureName[],
  bindings: Bindings,
): Grouped {
  return groupedBy(bucketKeys(buckets, "ts"), measureColumns(names, buckets), slotsSource(plan, bindings));
}

/** Rows in an order without ties, cut to the page, each with the total that shares are taken of. */
function pageOf(
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
  const first = bindings.bind(plan.offset);
  const end = bindings.bind(plan.offset + plan.limit);
  return `SELECT * FROM (SELECT *${total}${missing} FROM (${sql})) ORDER BY ${order} LIMIT ${first}, ${end}`;
}

/** The column to order by before the usual order, and whether largest first: what was asked for, else the type's own. */
function chosenOrder(
  { type, order }: ParameterPlan,
  names: readonly MeasureName[],
): { readonly column: string; readonly descending: boolean } | undefined {
  const { shape } = type;
  if (order === undefined && shape.kind === "table" && shape.largestFirst !== undefined)
    return { column: `m${names.indexOf(shape.largestFirst)}`, descending: true };
  const chosen = type.fields.find(({ name }) => name === order?.field);
  const column = chosen === undefined ? undefined : fieldColumn(chosen.from, names);
  return column === undefined ? undefined : { column, descending: order?.descending ?? false };
}

/**
 * A column that is 1 where another has no value, to order by before it: averages without a value would come first when the largest do.
 * It must be a column: with an expression in ORDER BY, QuestDB 9.3.4 leaves VARCHAR keys behind it unsorted.
 */
export function isMissing(column: string): string {
  return `CASE WHEN ${column} = null THEN 1 ELSE 0 END`;
}

function groupedRows(
  plan: ParameterPlan,
  buckets: Buckets | undefined,
  table: FactTable,
  names: readonly MeasureName[],
  bindings: Bindings,
): Grouped {
  const { type } = plan;
  const dimensions = dimensionsOf(type);
  const conditions = [
    only(type, table),
    withValue(type.shape, dimensions),
    filterSql(filtersOn(table, plan), table, bindings),
  ].filter((condition) => condition !== undefined);
  const scope = rowsOf(table, plan, bindings, plan.isLarge ? "scan" : "index");
  const readsText = plan.filters.length > 0 || readsTextOf(type.shape, dimensions);
  const plainScope = readsText ? rowsOf(table, plan, bindings) : scope;
  const bucketKey = bucketKeys(buckets, "ts");
  const keysOf = (fields: readonly Field[]) => [...bucketKey, ...fields.map(groupKey)];
  const countsSessions = names.includes("active_sessions");
  const areSessionsStored = countsSessions && plan.stored !== undefined && groupingOf(type, dimensions) !== undefined;
  const columns = measureColumns(names, buckets).map((column, index) =>
    areSessionsStored && names[index] === "active_sessions" ? `0::long AS m${index}` : column,
  );
  const plain = groupedBy(keysOf(dimensions), columns, [plainScope, ...conditions].join(" AND "));
  const labels = [
    ...bucketKey.map(() => "k0"),
    ...dimensions.map((field, index) => label(field, bucketKey.length + index)),
  ];
  if (!countsSessions) {
    if (labels.every((text, index) => text === plain.keys[index])) return plain;
    const labelledColumns = [
      ...labels.map((text, index) => `${text} AS k${index}`),
      ...names.map((_, index) => `m${index}`),
    ];
    return { sql: `SELECT ${labelledColumns.join(", ")} FROM (${plain.sql})`, keys: plain.keys };
  }
  const added = (values: readonly string[], count: string, from: string) =>
    groupedBy(
      keysOf(dimensions.map((field, index) => ({ ...field, column: values[index] ?? "" }))),
      names.map((name, index) => `${name === "active_sessions" ? count : nothing(name)} AS m${index}`),
      from,
    );
  const more =
    plan.stored !== undefined && areSessionsStored
      ? sessionGroups(plan, plan.stored, dimensions, conditions, bindings).map(({ values, count, from }) =>
          added(values, count, from),
        )
      : [
          added(
            dimensions.map((_, index) => `g${index}`),
            "count_distinct(session) - count_distinct(session_key)",
            severalSessionsSource(plan, scope, dimensions, conditions, bindings),
          ),
        ];
  const sums = names.map((name, index) => `${name === "active_sessions" ? "sum" : "max"}(m${index}) AS m${index}`);
  return groupedBy(labels, sums, `(${[plain, ...more].map(({ sql }) => sql).join(" UNION ALL ")})`);
}

/**
 * What rows are grouped by. A SYMBOL is grouped as it is, several times faster than a text made of it, and gets its label afterwards. It
 * is never an empty text.
 */
function groupKey(field: Field): string {
  return field.isSymbol ? field.column : labelled(field);
}

/** The label of a group by the key of `groupKey`. */
function label({ isSymbol, whenEmpty }: Field, index: number): string {
  return isSymbol ? `coalesce(k${index}, '${whenEmpty}')` : `k${index}`;
}

/** What rows that only add sessions to a group say of another measure. */
function nothing(name: MeasureName): string {
  const { format } = measureOf(name);
  return format === "time" ? "null::timestamp" : format === "count" ? "null::long" : "null::double";
}

/** The condition of a type that counts only some rows of a table. */
export function only(type: Pick<QueryType, "only">, table: FactTable): string | undefined {
  const kind = type.only === undefined ? undefined : rowKinds[type.only];
  return kind?.table === table ? kind.sql : undefined;
}

/** The filters that choose rows of a table. What rates are taken of may lie in another one, which lacks some of the type's fields. */
function filtersOn(table: FactTable, { type, filters }: ParameterPlan): readonly Filter[] {
  return table === type.table ? filters : filters.filter(({ field }) => findField(table, field) !== undefined);
}

/** Which rows without a value of the first dimension count. */
function withValue(shape: Shape, [first]: readonly Field[]): string | undefined {
  if (shape.kind !== "table" || shape.withoutValue === undefined || first === undefined) return undefined;
  const hasValue = first.isSymbol ? `${first.column} IS NOT NULL` : `NOT ${isEmpty(first.column)}`;
  return shape.withoutValue === "none" ? hasValue : `(${eventKinds.page_view} OR ${hasValue})`;
}

/** Whether `withValue` looks into text. */
function readsTextOf(shape: Shape, [first]: readonly Field[]): boolean {
  return shape.kind === "table" && shape.withoutValue !== undefined && first?.isSymbol !== true;
}

function dimensionsOf({ shape, table, name }: QueryType): Field[] {
  const names = shape.kind === "table" ? shape.dimensions : shape.kind === "split_series" ? [shape.dimension] : [];
  return names.map((dimension) => {
    const field = findField(table, dimension);
    if (field === undefined) throw new Error(`query type ${name} groups by ${dimension}, which ${table} lacks`);
    return field;
  });
}

/** The label of a row's group: the column's value, or what stands for none. */
export function labelled({ column, whenEmpty }: Pick<Field, "column" | "whenEmpty">): string {
  return `CASE WHEN ${isEmpty(column)} THEN '${whenEmpty}' ELSE ${column} END`;
}

/** The number of the bucket a time lies in. The figures are computed here from the zone, none was sent. */
export function bucketSql({ segments, unitMs }: Buckets, time: string): string {
  const shifts = segments.map(({ untilMs, shiftMs }, index) =>
    index === segments.length - 1
      ? `${shiftMs * 1000}`
      : `WHEN ${time}::long < ${untilMs * 1000} THEN ${shiftMs * 1000}`,
  );
  const shift = shifts.length === 1 ? shifts[0] : `CASE ${shifts.slice(0, -1).join(" ")} ELSE ${shifts.at(-1)} END`;
  return `(${time}::long + ${shift}) / ${unitMs * 1000}`;
}
