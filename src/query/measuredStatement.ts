import { withSessionsSql } from "../aggregation/sessionSql.ts";
import { inactivityMs } from "../aggregation/sessions.ts";
import type { BoundValue } from "../store/questdbReader.ts";
import { Bindings } from "./bindings.ts";
import type { Buckets } from "./buckets.ts";
import type { QueryType, Shape } from "./catalogue/queryType.ts";
import { type FactTable, type Field, findField } from "./fields.ts";
import { filterSql, isEmpty } from "./filters.ts";
import { bounceSql, countWhere, eventKinds, type MeasureName, measureOf, type Relation } from "./measures.ts";
import type { ParameterPlan } from "./parameterPlan.ts";
import { rowsOf } from "./rowScope.ts";

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
  const source = relation === "sessions" ? sessionsSource(plan, bindings) : rowsSource(plan, relation, names, bindings);
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

function rowsSource(plan: ParameterPlan, table: FactTable, names: readonly MeasureName[], bindings: Bindings): Source {
  const { type } = plan;
  const dimensions = dimensionsOf(type);
  const conditions = [only(type), withValue(type.shape, dimensions), filterSql(plan.filters, table, bindings)].filter(
    (condition) => condition !== undefined,
  );
  if (names.includes("active_sessions")) return sessionRowsSource(plan, dimensions, conditions, bindings);
  const from = [rowsOf(table, plan, bindings), ...conditions].join(" AND ");
  return { from, keys: dimensions.map(labelled), time: "ts" };
}

/** Rows of events with their session, which all activities decide, also those that do not count. */
function sessionRowsSource(
  plan: ParameterPlan,
  dimensions: readonly Field[],
  conditions: readonly string[],
  bindings: Bindings,
): Source {
  const groups = dimensions.map(({ column }, index) => `, ${column}::varchar AS g${index}`).join("");
  const noGroups = dimensions.map((_, index) => `, null::varchar AS g${index}`).join("");
  const counts = conditions.length === 0 ? "true" : conditions.join(" AND ");
  const activities =
    `SELECT session_key, ts, event_type::varchar AS event_type, visitor_key, name, path${groups}, ` +
    `CASE WHEN ${counts} THEN 1 ELSE 0 END AS counts FROM ${rowsOf("events", plan, bindings)} UNION ALL ` +
    `SELECT session_key, ts, 'link'::varchar AS event_type, visitor_key, null::varchar AS name, path${noGroups}, 0 AS counts ` +
    `FROM ${rowsOf("outgoing_links", plan, bindings)}`;
  // A number for the pair of both, because QuestDB counts distinct values of one column only.
  const session = `session_key * ${sessionFactor} + session_began AS session`;
  return {
    from: `(SELECT *, ${session} FROM (${withSessionsSql(activities)}) WHERE counts = 1)`,
    keys: dimensions.map(({ whenEmpty }, index) => labelled({ column: `g${index}`, whenEmpty })),
    time: "ts",
  };
}

/** Spreads session keys over all 64 bits, so that two pairs hardly ever make the same number. From Knuth's MMIX generator. */
const sessionFactor = "6364136223846793005";

/** The condition of a type that counts only some events. */
function only(type: QueryType): string | undefined {
  return type.table === "events" && type.only !== undefined ? eventKinds[type.only] : undefined;
}

/** Which rows without a value of the first dimension count. */
function withValue(shape: Shape, [first]: readonly Field[]): string | undefined {
  if (shape.kind !== "table" || shape.withoutValue === undefined || first === undefined) return undefined;
  const hasValue = `NOT ${isEmpty(first.column)}`;
  return shape.withoutValue === "none" ? hasValue : `(${eventKinds.page_view} OR ${hasValue})`;
}

/**
 * Sessions made of the rows of events and outgoing links: started, visitor_key, page_views, actions, clicks, seconds, bounced and the
 * dimensions g0, g1 …
 *
 * `first` and `last` of a VARCHAR return wrong bytes when they are grouped again (QuestDB 9.3.4), hence the cast to STRING.
 */
function sessionsSource(plan: ParameterPlan, bindings: Bindings): Source {
  const { type } = plan;
  const dimensions = dimensionsOf(type);
  const end = (type.shape.kind === "table" && type.shape.sessionEnd) || "first";
  const values = dimensions.map(({ column }, index) => `, nullif(${column}, '')::string AS v${index}`).join("");
  const noValues = dimensions.map((_, index) => `, null::string AS v${index}`).join("");
  const groups = dimensions.map((_, index) => `, ${end}_not_null(v${index}) AS g${index}`).join("");
  const chosen = filterSql(plan.filters, "events", bindings) ?? "true";
  const activities =
    `SELECT session_key, ts, event_type::varchar AS event_type, visitor_key, time_on_page_ms${values}, ` +
    `CASE WHEN ${chosen} THEN 1 ELSE 0 END AS chosen ` +
    `FROM ${rowsOf("events", plan, bindings)} AND session_key != null UNION ALL ` +
    `SELECT session_key, ts, 'link'::varchar AS event_type, visitor_key, null::double AS time_on_page_ms${noValues}, 0 AS chosen ` +
    `FROM ${rowsOf("outgoing_links", plan, bindings)} AND session_key != null`;
  const condition = only(type);
  const sessions =
    "SELECT session_key, session_began, min(ts) AS started, max(ts) AS ended, max(visitor_key) AS visitor_key, " +
    `max(CASE WHEN time_on_page_ms < ${inactivityMs} THEN time_on_page_ms ELSE null END) AS longest_ms, ` +
    `${countWhere(eventKinds.page_view)} AS page_views, ${countWhere(eventKinds.custom)} AS actions, ` +
    `${countWhere("event_type = 'link'")} AS clicks, sum(chosen) AS chosen${groups} ` +
    `FROM (${withSessionsSql(activities)})${condition === undefined ? "" : ` WHERE ${condition}`} GROUP BY session_key, session_began`;
  const timed =
    "SELECT *, greatest((ended - started) / 1000000.0, coalesce(longest_ms, 0) / 1000.0) AS seconds " +
    `FROM (${sessions}) WHERE page_views + actions + clicks > 0${plan.filters.length === 0 ? "" : " AND chosen > 0"}`;
  const keys = dimensions.map(({ whenEmpty }, index) => `coalesce(g${index}, '${whenEmpty}')`);
  return { from: `(SELECT *, (${bounceSql}) AS bounced FROM (${timed}))`, keys, time: "started" };
}

function dimensionsOf({ shape, table, name }: QueryType): Field[] {
  if (shape.kind !== "table") return [];
  return shape.dimensions.map((dimension) => {
    const field = findField(table, dimension);
    if (field === undefined) throw new Error(`query type ${name} groups by ${dimension}, which ${table} lacks`);
    return field;
  });
}

function labelled({ column, whenEmpty }: Pick<Field, "column" | "whenEmpty">): string {
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
