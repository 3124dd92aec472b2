import type { IANAZone } from "luxon";
import type { BoundValue } from "../store/questdbReader.ts";
import { Bindings } from "./bindings.ts";
import type { Buckets, BucketUnit } from "./buckets.ts";
import type { QueryType, Shape } from "./catalogue/queryType.ts";
import type { TimeRange } from "./dates.ts";
import { type FactTable, type Field, findField } from "./fields.ts";
import { type Filter, filterSql, isEmpty } from "./filters.ts";
import { bounceSql, countWhere, eventKinds, type MeasureName, measureOf, type Relation } from "./measures.ts";

/** One parameter of a query, ready to run. `zone` and `bucketUnit` are those of the buckets of a series. */
export type ParameterPlan = {
  readonly type: QueryType;
  readonly websiteIds: readonly string[];
  readonly range: TimeRange;
  readonly zone: IANAZone;
  readonly bucketUnit: BucketUnit;
  readonly filters: readonly Filter[];
  readonly limit: number;
  readonly offset: number;
};

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
    "measure" in from ? [from.measure] : "share" in from ? [from.share] : [],
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
  const source = relation === "sessions" ? sessionsSource(plan, names, bindings) : rowsSource(plan, relation, bindings);
  const sourceKeys = buckets === undefined ? source.keys : [bucketSql(buckets, source.time)];
  const columns = [
    ...sourceKeys.map((key, index) => `${key} AS k${index}`),
    ...names.map((name, index) => `${measureOf(name).sql} AS m${index}`),
  ];
  const keys = sourceKeys.map((_, index) => `k${index}`);
  const groups = keys.length === 0 ? "" : ` GROUP BY ${keys.join(", ")}`;
  const sql = `SELECT ${columns.join(", ")} FROM ${source.from}${groups}`;
  return {
    sql: plan.type.shape.kind === "table" ? pageOf(sql, plan, names, keys, bindings) : sql,
    values: bindings.values,
    measures: names,
  };
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
  const order = [...counts, ...keys].join(", ");
  const first = bindings.bind(plan.offset);
  const end = bindings.bind(plan.offset + plan.limit);
  return `SELECT * FROM (SELECT *${total} FROM (${sql})) ORDER BY ${order} LIMIT ${first}, ${end}`;
}

/** What a statement reads: the text after FROM, the SQL of the dimensions to group by, and the column of the time. */
type Source = { readonly from: string; readonly keys: readonly string[]; readonly time: string };

function rowsSource(plan: ParameterPlan, table: FactTable, bindings: Bindings): Source {
  const { type } = plan;
  const dimensions = dimensionsOf(type);
  const conditions = [
    rowsOf(table, plan, bindings),
    withValue(type.shape, dimensions),
    filterSql(plan.filters, table, bindings),
  ];
  const from = conditions.filter((condition) => condition !== undefined).join(" AND ");
  return { from, keys: dimensions.map(labelled), time: "ts" };
}

/** Which rows without a value of the first dimension count. */
function withValue(shape: Shape, [first]: readonly Field[]): string | undefined {
  if (shape.kind !== "table" || shape.withoutValue === undefined || first === undefined) return undefined;
  const hasValue = `NOT ${isEmpty(first.column)}`;
  return shape.withoutValue === "none" ? hasValue : `(${eventKinds.page_view} OR ${hasValue})`;
}

/**
 * Sessions made of the rows of events: started, visitor_key, page_views, actions, seconds, bounced and the dimensions g0, g1 …
 *
 * `first` and `last` of a VARCHAR return wrong bytes when they are grouped again (QuestDB 9.3.4), hence the cast to STRING.
 */
function sessionsSource(plan: ParameterPlan, names: readonly MeasureName[], bindings: Bindings): Source {
  const { type } = plan;
  const dimensions = dimensionsOf(type);
  const end = (type.shape.kind === "table" && type.shape.sessionEnd) || "first";
  const groups = dimensions
    .map(({ column }, index) => `, ${end}_not_null(nullif(${column}, '')::string) AS g${index}`)
    .join("");
  const chosen = filterSql(plan.filters, "events", bindings);
  const matches = chosen === undefined ? "" : `, ${countWhere(chosen)} AS matches`;
  const sessions =
    "SELECT session_key, min(ts) AS started, max(ts) AS ended, max(time_on_page_ms) AS longest_ms, max(visitor_key) AS visitor_key, " +
    `${countWhere(eventKinds.page_view)} AS page_views, ${countWhere(eventKinds.custom)} AS actions${groups}${matches} ` +
    `FROM ${rowsOf("events", plan, bindings)} AND session_key != null GROUP BY session_key`;
  const timed =
    "SELECT *, greatest((ended - started) / 1000000.0, coalesce(longest_ms, 0) / 1000.0) AS seconds " +
    `FROM (${sessions})${chosen === undefined ? "" : " WHERE matches > 0"}`;
  const judged = names.includes("bounce_rate")
    ? `SELECT *, (${bounceSql}) AS bounced FROM (${withClicks(timed, plan, bindings)})`
    : timed;
  const keys = dimensions.map(({ whenEmpty }, index) => `coalesce(g${index}, '${whenEmpty}')`);
  return { from: `(${judged})`, keys, time: "started" };
}

/** Sessions with their outgoing links, which lie in a table of their own. */
function withClicks(sessions: string, plan: ParameterPlan, bindings: Bindings): string {
  const clicks = `SELECT session_key AS clicked_key, count() AS clicks FROM ${rowsOf("outgoing_links", plan, bindings)} GROUP BY session_key`;
  return `(${sessions}) s LEFT JOIN (${clicks}) c ON s.session_key = c.clicked_key`;
}

/** The rows that a parameter may see. Every read of a table passes here, so no statement can leave its websites or its range. */
function rowsOf(table: FactTable, { websiteIds, range, type }: ParameterPlan, bindings: Bindings): string {
  // A website id is never empty, so without websites nothing matches.
  const websites = bindings.bindAll(websiteIds.length === 0 ? [""] : websiteIds);
  const time = `ts >= ${bindings.bindTime(range.startMs)} AND ts < ${bindings.bindTime(range.endMs)}`;
  const only = table === "events" && type.only !== undefined ? ` AND ${eventKinds[type.only]}` : "";
  return `${table} WHERE website_id IN (${websites}) AND ${time}${only}`;
}

function dimensionsOf({ shape, table, name }: QueryType): Field[] {
  if (shape.kind !== "table") return [];
  return shape.dimensions.map((dimension) => {
    const field = findField(table, dimension);
    if (field === undefined) throw new Error(`query type ${name} groups by ${dimension}, which ${table} lacks`);
    return field;
  });
}

function labelled({ column, whenEmpty }: Field): string {
  return `CASE WHEN ${isEmpty(column)} THEN '${whenEmpty}' ELSE ${column} END`;
}

/** The number of the bucket a time lies in. The figures are computed here from the zone, none was sent. */
function bucketSql({ segments, unitMs }: Buckets, time: string): string {
  const shifts = segments.map(({ untilMs, shiftMs }, index) =>
    index === segments.length - 1
      ? `${shiftMs * 1000}`
      : `WHEN ${time}::long < ${untilMs * 1000} THEN ${shiftMs * 1000}`,
  );
  const shift = shifts.length === 1 ? shifts[0] : `CASE ${shifts.slice(0, -1).join(" ")} ELSE ${shifts.at(-1)} END`;
  return `(${time}::long + ${shift}) / ${unitMs * 1000}`;
}
