import type { QueryType } from "../../../src/query/catalogue/queryType.ts";
import { type MeasureName, measureOf } from "../../../src/query/sql/measures.ts";
import { measuresOfVisits, oracleKinds, oracleMeasures } from "./oracleDefinitions.ts";
import { conditionOf, fieldIn, isWithinVisits } from "./oracleFilters.ts";
import type { TimeRange } from "./oracleRanges.ts";
import type { OracleSource } from "./oracleSource.ts";
import type { RandomQuery } from "./randomQuery.ts";

/** The name of the bucket of a time in Unix ms. */
export function bucketSql(time: string, { zone, unit }: Pick<RandomQuery, "zone" | "unit">): string {
  const utc = `epoch_ms((${time})::BIGINT)`;
  const localAt = (instant: string) => `((${instant} AT TIME ZONE 'UTC') AT TIME ZONE '${zone}')`;
  const local = localAt(utc);
  if (unit === "day") return `strftime(${local}, '%Y-%m-%d')`;
  if (unit !== "hour") return `strftime(date_trunc('${unit}', ${local}), '%Y-%m-%d')`;
  const offsetAt = (instant: string) => `date_diff('minute', ${instant}, ${localAt(instant)})`;
  const minutes = `(${offsetAt(utc)})`;
  const offset = `CASE WHEN ${minutes} = 0 THEN 'Z' ELSE printf('%s%02d:%02d', CASE WHEN ${minutes} < 0 THEN '-' ELSE '+' END, (abs(${minutes}) // 60)::INT, (abs(${minutes}) % 60)::INT) END`;
  // Where clocks change within an hour, a bucket begins at the change: at the first quarter of the hour that has the same offset.
  const hour = `(${utc} - (${local} - date_trunc('hour', ${local})))`;
  const begins = [15, 30, 45].map((quarter, index) => {
    const before = `${hour} + INTERVAL ${15 * index} MINUTE`;
    return `WHEN ${offsetAt(`(${before})`)} = ${minutes} THEN '${String(quarter - 15).padStart(2, "0")}'`;
  });
  return `strftime(${local}, '%Y-%m-%dT%H:') || CASE ${begins.join(" ")} ELSE '45' END || ':00' || ${offset}`;
}

/** Rows `k0` …, `m0` …, one for each group of a source, for the measures given. */
export function groupsSql(
  type: QueryType,
  source: OracleSource,
  names: readonly MeasureName[],
  randomQuery: RandomQuery,
  { startMs, endMs }: TimeRange,
): string {
  const keys =
    type.shape.kind === "series"
      ? [bucketSql(timeOf(source), randomQuery)]
      : dimensionsOf(type, source).map(({ sql, empty = "Unknown" }) => `coalesce(nullif(${sql}, ''), '${empty}')`);
  const columns = [
    ...keys.map((key, index) => `${key} AS k${index}`),
    ...names.map((name, index) => `(${measureSql(name, source)})::DOUBLE AS m${index}`),
  ];
  const rows = `SELECT * FROM (${relationSql(type, source, randomQuery)}) WHERE ${timeOf(source)} >= ${startMs} AND ${timeOf(source)} < ${endMs}`;
  return `SELECT ${columns.join(", ")} FROM (${rows})${keys.length === 0 ? "" : ` GROUP BY ${keys.map((_, index) => `k${index}`).join(", ")}`}`;
}

/** What is about visits belongs where its visit began. */
function timeOf(source: OracleSource): string {
  return isWithinVisits(source) ? "ts" : "started";
}

function dimensionsOf({ shape }: QueryType, source: OracleSource) {
  if (shape.kind !== "table") return [];
  return shape.dimensions.map((name) => fieldIn(source, name));
}

function measureSql(name: MeasureName, source: OracleSource): string {
  const measure = source === "visits" ? measuresOfVisits[name] : oracleMeasures[name];
  if (measure === undefined)
    throw new Error(`oracleDefinitions.ts does not know the measure ${name}; write it down there`);
  return measureOf(name).format === "count" ? `coalesce(${measure.sql}, 0)` : measure.sql;
}

function relationSql(type: QueryType, source: OracleSource, randomQuery: RandomQuery): string {
  if (source === "sessions") return sessionsSql(type, randomQuery);
  if (source === "visits")
    return `${visitsSql(type, randomQuery)} UNION ALL BY NAME ${loneEventsSql(type, randomQuery)}`;
  const conditions = [
    ...conditionOf(randomQuery, source, "events"),
    ...conditionOf(randomQuery, source, "visits"),
    ...(isWithinVisits(source) && conditionOf(randomQuery, source, "visits").length > 0 ? ["visit IS NOT NULL"] : []),
    ...onlySql(type, source),
    ...withValueSql(type, source),
  ];
  const table = source === "outgoing_links" ? "placed_links" : `placed_${source}`;
  return `SELECT * FROM ${table} WHERE ${all(conditions)}`;
}

/** Whole visits: those with a selected event of any kind but an exit, and where a type counts page views only, with a page view. */
export function sessionsSql(type: QueryType, randomQuery: RandomQuery): string {
  const selected = conditionOf(randomQuery, "sessions", "events");
  const kinds = { page_view: "page_views > 0", custom: "actions > 0" };
  const conditions = [
    ...(selected.length === 0
      ? []
      : [`visit IN (SELECT visit FROM placed_events WHERE ${all([isNoExit, ...selected])})`]),
    ...conditionOf(randomQuery, "sessions", "visits"),
    ...(type.only === undefined ? [] : [kinds[kindOfVisits(type.only)]]),
    ...withValueSql(type, "sessions"),
  ];
  return `SELECT * FROM visits WHERE ${all(conditions)}`;
}

function kindOfVisits(only: NonNullable<QueryType["only"]>): "page_view" | "custom" {
  if (only === "page_view" || only === "custom") return only;
  throw new Error(`it is not defined which visits have the kind ${only}`);
}

/** Visits with their selected events: without a filter on events all of them, whole. */
function visitsSql(type: QueryType, randomQuery: RandomQuery): string {
  const selected = [...conditionOf(randomQuery, "visits", "events"), ...onlySql(type, "events")];
  const counts = `
    SELECT visit, count(*) FILTER (event_type = 'page_view') AS chosen_views,
      count(*) FILTER (event_type = 'custom') AS chosen_actions, count(*) FILTER (${isNoExit}) AS chosen
    FROM placed_events WHERE ${all(["visit IS NOT NULL", ...selected])} GROUP BY visit`;
  const conditions = [
    // Without a condition visits that have nothing but links count too.
    ...(selected.length === 0 ? [] : ["chosen > 0"]),
    ...conditionOf(randomQuery, "visits", "visits"),
    ...withValueSql(type, "visits"),
  ];
  return `SELECT * FROM visits LEFT JOIN (${counts}) USING (visit) WHERE ${all(conditions)}`;
}

/** Page views and custom events without a visitor count as such, and are neither visits nor visitors. */
export function loneEventsSql(type: QueryType, randomQuery: RandomQuery): string {
  const conditions = [
    "visit IS NULL",
    isNoExit,
    ...conditionOf(randomQuery, "visits", "events"),
    ...conditionOf(randomQuery, "visits", "visits"),
    ...onlySql(type, "events"),
    ...withValueSql(type, "visits"),
  ];
  return `SELECT * EXCLUDE (visitor_key), (event_type = 'page_view')::INT AS chosen_views, (event_type = 'custom')::INT AS chosen_actions
    FROM placed_events WHERE ${all(conditions)}`;
}

const isNoExit = "event_type <> 'page_exit'";

function onlySql({ only }: QueryType, table: string): string[] {
  if (only === undefined) return [];
  const kind = oracleKinds[only];
  if (kind === undefined)
    throw new Error(`oracleDefinitions.ts does not know rows of the kind ${only}; write it down there`);
  return kind.table === table ? [kind.sql] : [];
}

/** Some types leave out rows without a value in the first group. */
function withValueSql({ shape }: QueryType, source: OracleSource): string[] {
  if (shape.kind !== "table" || shape.withoutValue !== "none") return [];
  return [`coalesce(${fieldIn(source, shape.dimensions[0] ?? "").sql}, '') <> ''`];
}

function all(conditions: readonly string[]): string {
  return conditions.length === 0 ? "true" : conditions.join(" AND ");
}
