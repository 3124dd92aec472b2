import type { QueryType } from "../../../src/query/catalogue/queryType.ts";
import { type MeasureName, measureOf, type Relation } from "../../../src/query/sql/measures.ts";
import { oracleFields, oracleKinds, oracleMeasures } from "./oracleDefinitions.ts";
import type { RandomQuery } from "./randomQuery.ts";

/** The bounds of a query as Unix ms. */
export type Bounds = { readonly startMs: number; readonly endMs: number };

/** An instant of the bounds in DuckDB's words: its own time zones decide what a local time means. */
export function instantSql(text: string, edge: "start" | "end", zone: string): string {
  if (text.endsWith("Z")) return `epoch_ms(TIMESTAMPTZ '${text}')`;
  const local = text.length === 10 ? `TIMESTAMP '${text} 00:00:00'` : `TIMESTAMP '${text.replace("T", " ")}'`;
  const day = text.length === 10 && edge === "end" ? `(${local} + INTERVAL 1 DAY)` : local;
  return `epoch_ms(${day} AT TIME ZONE '${zone}')`;
}

/** The name of the bucket of a time in Unix ms. */
export function bucketSql(time: string, { zone, unit }: RandomQuery): string {
  const utc = `epoch_ms((${time})::BIGINT)`;
  const local = `((${utc} AT TIME ZONE 'UTC') AT TIME ZONE '${zone}')`;
  if (unit === "day") return `strftime(${local}, '%Y-%m-%d')`;
  const minutes = `(date_diff('minute', ${utc}, ${local}))`;
  const offset = `CASE WHEN ${minutes} = 0 THEN 'Z' ELSE printf('%s%02d:%02d', CASE WHEN ${minutes} < 0 THEN '-' ELSE '+' END, (abs(${minutes}) // 60)::INT, (abs(${minutes}) % 60)::INT) END`;
  return `strftime(${local}, '%Y-%m-%dT%H:00:00') || ${offset}`;
}

/** Rows `k0` …, `m0` …, one for each group of a relation, for the measures given. `keys` are the SQL of the groups. */
export function groupsSql(
  type: QueryType,
  relation: Relation,
  names: readonly MeasureName[],
  randomQuery: RandomQuery,
  bounds: Bounds,
): string {
  if (relation === "uptime_slots") throw new Error("slots are tested in test/uptime/figures/queryTypes.http.test.ts");
  const isSeries = type.shape.kind === "series";
  const dimensions = type.shape.kind === "table" ? type.shape.dimensions.map(fieldOf) : [];
  const time = relation === "sessions" ? "started" : "ts";
  const keys = isSeries
    ? [bucketSql(time, randomQuery)]
    : dimensions.map(
        ({ sql, empty = "Unknown" }, index) =>
          `coalesce(nullif(${relation === "sessions" ? `g${index}` : sql}, ''), '${empty}')`,
      );
  const columns = [
    ...keys.map((key, index) => `${key} AS k${index}`),
    ...names.map((name, index) => `(${measureSql(name)})::DOUBLE AS m${index}`),
  ];
  const from =
    relation === "sessions" ? sessionsSql(type, randomQuery, bounds) : rowsSql(type, relation, randomQuery, bounds);
  return `SELECT ${columns.join(", ")} FROM (${from})${keys.length === 0 ? "" : ` GROUP BY ${keys.map((_, index) => `k${index}`).join(", ")}`}`;
}

function measureSql(name: MeasureName): string {
  const measure = oracleMeasures[name];
  if (measure === undefined)
    throw new Error(`oracleDefinitions.ts does not know the measure ${name}; write it down there`);
  if (measureOf(name).format === "count") return `coalesce(${measure.sql}, 0)`;
  return measure.sql;
}

function fieldOf(name: string) {
  const field = oracleFields[name];
  if (field === undefined) throw new Error(`oracleDefinitions.ts does not know the field ${name}; write it down there`);
  return field;
}

function scoped(table: string, { startMs, endMs }: Bounds): string {
  return `SELECT * FROM ${table} WHERE ts >= ${startMs} AND ts < ${endMs}`;
}

/** Rows of a table that count; those of events with their session. */
function rowsSql(
  type: QueryType,
  table: Exclude<Relation, "sessions" | "uptime_slots">,
  randomQuery: RandomQuery,
  bounds: Bounds,
): string {
  const conditions = [onlySql(type, table), withValueSql(type), filtersSql(randomQuery, table)];
  const rows =
    table === "events" ? `SELECT * FROM (${activitiesSql(bounds)}) WHERE NOT is_link` : scoped(table, bounds);
  return `SELECT * FROM (${rows}) WHERE ${conditions.join(" AND ")}`;
}

function onlySql({ only }: QueryType, table: string): string {
  if (only === undefined) return "true";
  const kind = oracleKinds[only];
  if (kind === undefined)
    throw new Error(`oracleDefinitions.ts does not know rows of the kind ${only}; write it down there`);
  return kind.table === table ? kind.sql : "true";
}

function withValueSql({ shape }: QueryType): string {
  if (shape.kind !== "table" || shape.withoutValue === undefined) return "true";
  const hasValue = `coalesce(${fieldOf(shape.dimensions[0] ?? "").sql}, '') <> ''`;
  return shape.withoutValue === "none" ? hasValue : `(event_type = 'page_view' OR ${hasValue})`;
}

/** A filter on a field that a table lacks does not filter its rows. */
function filtersSql({ filters, type }: RandomQuery, table: string): string {
  const usable = filters.filter(
    ({ field }) => table === type.table || (!field.startsWith("properties.") && sharedFields.has(field)),
  );
  return ["true", ...usable.map(filterSql)].join(" AND ");
}

const sharedFields: ReadonlySet<string> = new Set([
  "path",
  "country",
  "region",
  "browser_name",
  "browser",
  "os_name",
  "device_type",
  "session_id",
  "browser_version",
]);

function filterSql({ field, op, values }: RandomQuery["filters"][number]): string {
  const { sql, searched = [sql], empty = "Unknown" } = fieldOf(field);
  const matches = values.flatMap((value) => {
    const text = `'${value.replaceAll("'", "''")}'`;
    if (op.endsWith("contains")) return searched.map((one) => `contains(${one}, ${text})`);
    if (op === "starts_with") return searched.map((one) => `starts_with(${one}, ${text})`);
    const isNothing = value === "" || value === empty ? [`coalesce(${sql}, '') = ''`] : [];
    return [...searched.map((one) => `${one} = ${text}`), ...isNothing];
  });
  const any = `coalesce(${matches.map((match) => `coalesce(${match}, false)`).join(" OR ")}, false)`;
  return ["ne", "not_contains", "not_in"].includes(op) ? `NOT ${any}` : any;
}

/** Events and links with their session: one session key and less than 30 minutes from one to the next. No session fills a whole day. */
function activitiesSql(bounds: Bounds): string {
  return `SELECT *, CASE WHEN session_key IS NULL THEN NULL ELSE session_key || '/' || chain END AS session FROM (
    SELECT *, sum(begins) OVER (PARTITION BY session_key ORDER BY ts, is_link, event_key ROWS UNBOUNDED PRECEDING) AS chain FROM (
      SELECT *, CASE WHEN ts - lag(ts) OVER (PARTITION BY session_key ORDER BY ts, is_link, event_key) < 1800000 THEN 0 ELSE 1 END AS begins FROM (
        SELECT *, false AS is_link FROM (${scoped("events", bounds)}) UNION ALL BY NAME
        SELECT ts, event_key, session_key, visitor_key, 'link' AS event_type, true AS is_link FROM (${scoped("outgoing_links", bounds)}))))`;
}

/** Of the events that a type counts only, except for the visitor, who is the session's. */
function sessionsSql(type: QueryType, randomQuery: RandomQuery, bounds: Bounds): string {
  const end = type.shape.kind === "table" ? (type.shape.sessionEnd ?? "first") : "first";
  const dimensions = type.shape.kind === "table" ? type.shape.dimensions.map(fieldOf) : [];
  const only = onlySql(type, "events");
  const groups = dimensions.map(
    ({ sql }, index) => `, ${end}(${sql} ORDER BY ts) FILTER (${only} AND coalesce(${sql}, '') <> '') AS g${index}`,
  );
  const chosen = `NOT is_link AND ${only} AND ${filtersSql(randomQuery, "events")}`;
  return `SELECT *, CASE WHEN page_views = 1 AND actions = 0 AND clicks = 0 AND seconds < 10 THEN 1 ELSE 0 END AS bounced FROM (
    SELECT session, min(ts) FILTER (${only}) AS started, max(visitor_key) AS visitor_key,
      count(*) FILTER (${only} AND event_type = 'page_view') AS page_views, count(*) FILTER (${only} AND event_type = 'custom') AS actions,
      count(*) FILTER (${only} AND is_link) AS clicks, count(*) FILTER (${chosen}) AS chosen,
      greatest(max(ts) FILTER (${only}) - min(ts) FILTER (${only}),
        coalesce(max(time_on_page_ms) FILTER (${only} AND time_on_page_ms < 1800000), 0)) / 1000.0 AS seconds${groups.join("")}
    FROM (${activitiesSql(bounds)}) WHERE session IS NOT NULL GROUP BY session)
  WHERE page_views + actions + clicks > 0 AND ${randomQuery.filters.length === 0 ? "true" : "chosen > 0"}`;
}
