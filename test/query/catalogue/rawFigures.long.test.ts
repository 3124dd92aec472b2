import { randomUUID } from "node:crypto";
import { fromJson, type JsonObject } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { QueryRequestSchema } from "../../../src/gen/lookout/v1/query_pb.ts";
import { runParameter } from "../../../src/query/answer/runParameter.ts";
import { catalogue } from "../../../src/query/catalogue/catalogue.ts";
import { planQueries } from "../../../src/query/plan/planQuery.ts";
import type { QuestdbReader } from "../../../src/store/questdb/questdbReader.ts";
import { type OracleRow, OracleTables } from "../../kit/oracle/oracleTables.ts";
import { seededRandom } from "../../kit/random/seededRandom.ts";
import { openQuestdb } from "../../kit/stores/testQuestdb.ts";
import { insertRaw, rawRows, rawTables } from "./rawSamples.ts";

const websiteId = randomUUID();
const otherWebsiteId = randomUUID();
const organizationId = randomUUID();

/** Three days, and half a day before and after that no answer may count. */
const startMs = Date.UTC(2026, 4, 10);
const endMs = startMs + 3 * 86_400_000;
/** In the middle of the last day, five minutes after which an event comes. */
const nowMs = endMs - 43_200_000;

const around = { fromMs: startMs - 43_200_000, lengthMs: 4 * 86_400_000 };
const own = rawRows(seededRandom(1), { websiteIds: [websiteId], organizationId, ...around });
const foreign = rawRows(seededRandom(2), { websiteIds: [otherWebsiteId], organizationId: randomUUID(), ...around });
/** Calls that belong to the organization and to no website; events of the last half hour. */
const shared = rawRows(seededRandom(3), {
  websiteIds: [null],
  organizationId,
  ...around,
  // No two rows of an answer share a time, so that their order is known.
  fromMs: around.fromMs + 7,
});
const recent = rawRows(seededRandom(4), {
  websiteIds: [websiteId],
  organizationId,
  fromMs: nowMs - 2_400_000,
  lengthMs: 2_700_000,
});
const nothing = { events: [], performance_metrics: [], script_errors: [], llm_calls: [] };
const inserted = [
  own,
  foreign,
  { ...nothing, llm_calls: shared.llm_calls.slice(0, 300).map((row) => ({ ...row, event_key: row.ts })) },
  { ...nothing, events: recent.events.map((row) => ({ ...row, event_key: row.ts })) },
];

let reader: QuestdbReader;
let oracle: OracleTables;

const textsOfVisits = [
  "country",
  "region",
  "city",
  "browser",
  "browser_version",
  "os",
  "os_version",
  "device",
  "referrer_source",
];

/**
 * The visits of the events: each key of these rows is one visit, unless all of its events are page exits. A visit has the value of its first
 * event that has one.
 */
const visitsSql =
  "CREATE TABLE visits AS SELECT website_id, session_key, min(ts) AS began, max(ts) AS last, max(visitor_key) AS visitor, " +
  `${textsOfVisits.map((name) => `arg_min(${name}, ts) FILTER (coalesce(${name}, '') != '') AS ${name}`).join(", ")} ` +
  "FROM events GROUP BY website_id, session_key HAVING count(*) FILTER (event_type != 'page_exit') > 0";

beforeAll(async () => {
  reader = openQuestdb();
  const data = Object.fromEntries(rawTables.map((table) => [table, inserted.flatMap((rows) => rows[table])]));
  oracle = await OracleTables.open(data, [visitsSql]);
  for (const rows of inserted) await insertRaw(reader, rows);
  for (const table of rawTables) {
    const wanted = inserted.flatMap((rows) => rows[table]).length;
    const scope = `website_id IN ($1, $2)${table === "llm_calls" ? " OR (website_id = null AND organization_id = $3)" : " OR website_id = $3"}`;
    const sql = `SELECT count() AS n FROM ${table} WHERE ${scope}`;
    await vi.waitFor(
      async () => expect(await reader.read(sql, [websiteId, otherWebsiteId, organizationId])).toEqual([{ n: wanted }]),
      { timeout: 200_000 },
    );
  }
});

afterAll(async () => {
  await reader.close();
  oracle.close();
});

type Filter = {
  field: string;
  op: string;
  value: string | number | (string | number)[];
  sql: string;
  isOfVisit?: boolean;
};
type Ask = {
  filters?: readonly Filter[];
  limit?: number;
  page?: number;
  unit?: "day" | "hour";
  withOrganization?: boolean;
};

async function planOf(name: string, { filters = [], limit, page, unit = "day" }: Ask) {
  const request = fromJson(QueryRequestSchema, {
    query: {
      parameters: [{ name }],
      startDate: new Date(startMs).toISOString(),
      endDate: new Date(endMs).toISOString(),
      granularity: unit,
      filters: filters.map(({ field, op, value }) => ({ field, op, value })),
      ...(limit === undefined ? {} : { limit }),
      ...(page === undefined ? {} : { page }),
    },
  });
  const work = (await planQueries(request, nowMs))[0]?.parameters[0]?.work;
  if (work === undefined || "error" in work) throw new Error(work?.error ?? "not planned");
  return work;
}

async function answer(name: string, ask: Ask = {}): Promise<JsonObject[]> {
  const scope = { websiteIds: [websiteId], ...(ask.withOrganization ? { organizationId } : {}) };
  return await runParameter({ ...(await planOf(name, ask)), ...scope }, reader);
}

/** The rows that a type without a time of its own may count. */
function from(table: string, { filters = [], withOrganization = false }: Ask, range = [startMs, endMs]): string {
  const scope = `(website_id = '${websiteId}'${withOrganization ? ` OR (website_id IS NULL AND organization_id = '${organizationId}')` : ""})`;
  return [
    "FROM",
    table,
    "WHERE",
    [scope, `ts >= ${range[0]} AND ts < ${range[1]}`, ...filters.map(({ sql }) => sql)].join(" AND "),
  ].join(" ");
}

/** The conditions of filters on visit fields, or of those on event fields; "true" without any. */
function conditions({ filters = [] }: Ask, isOfVisit: boolean): string {
  const chosen = filters.filter((filter) => (filter.isOfVisit ?? false) === isOfVisit);
  return chosen.length === 0 ? "true" : chosen.map(({ sql }) => sql).join(" AND ");
}

/**
 * The visits that began in a range, or for answers about what happens now those that were active in it, as the text after SELECT: all whose
 * values the filters select and that have a selected event, with the number of `views` among these. The end of a page view selects none.
 */
function visits(ask: Ask, [fromMs, untilMs] = [startMs, endMs], isNow = false): string {
  const when = isNow ? `began < ${untilMs} AND last >= ${fromMs}` : `began >= ${fromMs} AND began < ${untilMs}`;
  const times = isNow ? `ts >= ${fromMs} AND ts < ${untilMs}` : "true";
  const join = isNow && conditions(ask, false) === "true" ? "LEFT JOIN" : "JOIN";
  return (
    `FROM (SELECT * FROM visits WHERE website_id = '${websiteId}' AND ${when} AND ${conditions(ask, true)}) ${join} ` +
    "(SELECT session_key, count(*) FILTER (event_type = 'page_view') AS views FROM events " +
    `WHERE website_id = '${websiteId}' AND event_type != 'page_exit' AND ${times} AND ${conditions(ask, false)} GROUP BY session_key) USING (session_key)`
  );
}

/** The events of a range by their own time, as the text after SELECT: those of visits that the filters select, which these events select too. */
function eventsNow(ask: Ask, [fromMs, untilMs]: readonly [number, number]): string {
  const chosen = `SELECT website_id, session_key, visitor FROM visits WHERE ${conditions(ask, true)}`;
  return (
    `FROM events JOIN (${chosen}) USING (website_id, session_key) WHERE website_id = '${websiteId}' ` +
    `AND ts >= ${fromMs} AND ts < ${untilMs} AND ${conditions(ask, false)}`
  );
}

const known = (column: string) => `coalesce(nullif(${column}, ''), 'Unknown')`;
const metric = (name: string) => `CASE WHEN metric_type = '${name}' THEN value END`;
const avg = (value: string, name: string) => `avg(${value}) AS ${name}`;
const percentile = (value: string, share: number, name: string) => `quantile_disc(${value}, ${share}) AS ${name}`;
const iso = (value: string) => `strftime(make_timestamp(${value} * 1000), '%Y-%m-%dT%H:%M:%S.%gZ')`;
const day = `strftime(make_timestamp(ts * 1000), '%Y-%m-%d')`;

const loads = [
  avg(metric("load_time"), "avg_load_time"),
  percentile(metric("load_time"), 0.5, "p50_load_time"),
  avg(metric("TTFB"), "avg_ttfb"),
  avg(metric("dom_ready_time"), "avg_dom_ready_time"),
  avg(metric("render_time"), "avg_render_time"),
  "count(*) FILTER (metric_type = 'load_time') AS pageviews",
].join(", ");
const loadKinds = "metric_type IN ('load_time', 'dom_ready_time', 'render_time', 'TTFB')";
const vitalKinds = "metric_type IN ('LCP', 'FCP', 'CLS', 'INP', 'FID', 'TTFB')";
const visitors = "count(DISTINCT visitor_key) AS visitors";
const visitorsOfVisits = "count(DISTINCT visitor) AS visitors";
const both = (name: string, as: string) =>
  `${avg(metric(name), `avg_${as}`)}, ${percentile(metric(name), 0.5, `p50_${as}`)}`;
const vitals = [both("FCP", "fcp"), both("LCP", "lcp"), both("CLS", "cls"), avg(metric("INP"), "avg_inp")].join(", ");
const medians = ["lcp", "fcp", "cls", "inp", "ttfb"]
  .map((name) => percentile(metric(name.toUpperCase()), 0.5, `p50_${name}`))
  .join(", ");
const percentiles = [50, 75, 90, 95, 99].map((share) => percentile("value", share / 100, `p${share}`)).join(", ");

const costs = "coalesce(sum(total_cost_usd), 0) AS total_cost, coalesce(sum(total_tokens), 0) AS total_tokens";
const durations = `avg(duration_ms) AS avg_duration_ms, ${percentile("duration_ms", 0.75, "p75_duration_ms")}`;
const rate = (condition: string, name: string) => `100.0 * count(*) FILTER (${condition}) / count(*) AS ${name}`;
const errorRate = rate("error_name IS NOT NULL", "error_rate");
const breakdown = `count(*) AS calls, ${costs}, ${durations}, ${errorRate}`;
const latency = `count(*) AS calls, avg(duration_ms) AS avg_duration_ms, ${[50, 75, 95].map((share) => percentile("duration_ms", share / 100, `p${share}_duration_ms`)).join(", ")}`;

const today: [number, number] = [endMs - 86_400_000, endMs];
const lastMinute = Math.floor(nowMs / 60_000);
const halfHour: [number, number] = [(lastMinute - 29) * 60_000, nowMs + 1];

/** The expected answer of each type, as DuckDB's SQL over the same rows. */
const wanted: Readonly<Record<string, (ask: Ask) => string>> = {
  performance_overview: (ask) =>
    `SELECT ${avg(metric("load_time"), "avg_load_time")}, ${avg(metric("dom_ready_time"), "avg_dom_ready_time")}, ${avg(metric("render_time"), "avg_render_time")} ${from("performance_metrics", ask)}`,
  performance_time_series: (ask) =>
    `SELECT ${day} AS date, ${loads} ${from("performance_metrics", ask)} GROUP BY date ORDER BY date`,
  load_time_performance: (ask) =>
    `SELECT date, avg_load_time, p50_load_time, pageviews FROM (SELECT ${day} AS date, ${loads} ${from("performance_metrics", ask)} GROUP BY date) ORDER BY date`,
  web_vitals_time_series: (ask) =>
    `SELECT ${day} AS date, ${vitals}, ${percentile(metric("INP"), 0.5, "p50_inp")}, ${both("TTFB", "ttfb")}, count(*) AS measurements ${from("performance_metrics", ask)} AND ${vitalKinds} GROUP BY date ORDER BY date`,
  slow_pages: (ask) =>
    `SELECT ${known("path")} AS name, ${visitors}, ${loads} ${from("performance_metrics", ask)} AND ${loadKinds} GROUP BY name ORDER BY avg_load_time DESC`,
  ...Object.fromEntries(
    Object.entries({ browser: "browser", country: "country", os: "os", region: "region", page: "path" })
      .flatMap(([name, column]): [string, (ask: Ask) => string][] => [
        [
          `performance_by_${name}`,
          (ask) =>
            `SELECT ${known(column)} AS name, ${visitors}, ${loads} ${from("performance_metrics", ask)} AND ${loadKinds} GROUP BY name ORDER BY visitors DESC, pageviews DESC, name`,
        ],
        [
          `web_vitals_by_${name}`,
          (ask) =>
            `SELECT ${known(column)} AS name, ${visitors}, ${vitals}, ${avg(metric("TTFB"), "avg_ttfb")}, count(*) AS measurements ${from("performance_metrics", ask)} AND ${vitalKinds} GROUP BY name ORDER BY visitors DESC, measurements DESC, name`,
        ],
        [
          `vitals_by_${name}`,
          (ask) =>
            `SELECT ${known(column)} AS name, ${visitors}, ${medians}, count(*) AS samples ${from("performance_metrics", ask)} AND ${vitalKinds} GROUP BY name ORDER BY visitors DESC, samples DESC, name`,
        ],
      ])
      .filter(([name]) => !["performance_by_page", "vitals_by_page", "vitals_by_os"].includes(name)),
  ),
  vitals_by_city: (ask) =>
    `SELECT ${known("city")} AS name, ${known("country")} AS country, ${visitors}, ${medians}, count(*) AS samples ${from("performance_metrics", ask)} AND ${vitalKinds} GROUP BY name, ${known("country")} ORDER BY visitors DESC, samples DESC, name, country`,
  vitals_time_series: (ask) =>
    `SELECT ${day} AS date, metric_type AS metric_name, ${percentiles}, count(*) AS samples ${from("performance_metrics", ask)} GROUP BY date, metric_type ORDER BY date, metric_type`,

  error_summary: (ask) =>
    `SELECT count(*) AS "totalErrors", count(DISTINCT message) AS "uniqueErrorTypes", count(DISTINCT visitor_key) AS "affectedUsers", count(DISTINCT session_key) AS "affectedSessions", 100.0 * count(DISTINCT visitor_key) / (SELECT count(DISTINCT visitor) ${visits({ filters: (ask.filters ?? []).filter(({ field }) => field !== "message") })}) AS "errorRate" ${from("script_errors", ask)}`,
  recent_errors: (ask) =>
    `SELECT message, coalesce(stack, '') AS stack, coalesce(path, '') AS path, anonymous_id, session_id, ${iso("ts")} AS timestamp, coalesce(filename, '') AS filename, line_number AS lineno, column_number AS colno, coalesce(error_type, '') AS error_type, coalesce(browser, '') AS browser_name, coalesce(browser_version, '') AS browser_version, coalesce(os, '') AS os_name, coalesce(os_version, '') AS os_version, coalesce(device, '') AS device_type, coalesce(country, '') AS country, coalesce(region, '') AS region ${from("script_errors", ask)} ORDER BY ts DESC LIMIT ${ask.limit ?? 100} OFFSET ${((ask.page ?? 1) - 1) * (ask.limit ?? 100)}`,

  llm_overview_kpis: (ask) =>
    `SELECT count(*) AS total_calls, ${costs}, sum(input_tokens) AS total_input_tokens, sum(output_tokens) AS total_output_tokens, ${durations}, count(error_name) AS error_count, ${errorRate}, ${rate("cached_input_tokens > 0", "cache_hit_rate")}, ${rate("tool_call_count > 0", "tool_use_rate")}, ${rate("web_search_count > 0", "web_search_rate")} ${from("llm_calls", ask)}`,
  llm_time_series: (ask) =>
    `SELECT ${day} AS date, count(*) AS total_calls, ${costs}, ${durations} ${from("llm_calls", ask)} GROUP BY date ORDER BY date`,
  llm_provider_breakdown: (ask) =>
    `SELECT provider AS name, provider, ${breakdown} ${from("llm_calls", ask)} GROUP BY provider ORDER BY calls DESC, total_tokens DESC, provider`,
  llm_model_breakdown: (ask) =>
    `SELECT model AS name, model, provider, ${breakdown} ${from("llm_calls", ask)} GROUP BY model, provider ORDER BY calls DESC, total_tokens DESC, model, provider`,
  llm_finish_reason_breakdown: (ask) =>
    `SELECT ${known("finish_reason")} AS name, ${known("finish_reason")} AS finish_reason, count(*) AS calls ${from("llm_calls", ask)} GROUP BY 1, 2 ORDER BY calls DESC, name`,
  llm_error_breakdown: (ask) =>
    `SELECT error_name AS name, error_name, arg_max(error_message, ts) AS sample_message, count(*) AS error_count ${from("llm_calls", ask)} AND error_name IS NOT NULL GROUP BY error_name ORDER BY error_count DESC, name`,
  llm_cost_by_provider_time_series: (ask) => costSeries("provider", ask),
  llm_cost_by_model_time_series: (ask) => costSeries("model", ask),
  llm_latency_time_series: (ask) =>
    `SELECT ${day} AS date, ${durations}, ${percentile("duration_ms", 0.95, "p95_duration_ms")} ${from("llm_calls", ask)} GROUP BY date ORDER BY date`,
  llm_latency_by_model: (ask) =>
    `SELECT model AS name, model, provider, ${latency} ${from("llm_calls", ask)} GROUP BY model, provider ORDER BY calls DESC, model, provider`,
  llm_latency_by_provider: (ask) =>
    `SELECT provider AS name, provider, ${latency} ${from("llm_calls", ask)} GROUP BY provider ORDER BY calls DESC, provider`,
  llm_slowest_calls: (ask) =>
    `SELECT ${iso("ts")} AS timestamp, provider, model, total_tokens, duration_ms, coalesce(finish_reason, '') AS finish_reason, coalesce(error_name, '') AS error_name, coalesce(trace_id, '') AS trace_id ${from("llm_calls", ask)} ORDER BY duration_ms DESC, ts DESC LIMIT 100`,
  llm_error_rate_time_series: (ask) =>
    `SELECT ${day} AS date, count(error_name) AS error_count, ${errorRate} ${from("llm_calls", ask)} GROUP BY date ORDER BY date`,
  llm_http_status_breakdown: (ask) =>
    `SELECT coalesce(http_status::VARCHAR, 'Unknown') AS name, http_status, count(*) AS calls ${from("llm_calls", ask)} GROUP BY http_status ORDER BY calls DESC, name`,
  llm_recent_errors: (ask) =>
    `SELECT ${iso("ts")} AS timestamp, error_name, error_message, error_stack, model, provider, http_status, duration_ms ${from("llm_calls", ask)} AND error_name IS NOT NULL ORDER BY ts DESC LIMIT 100`,
  llm_tool_use_time_series: (ask) =>
    `SELECT ${day} AS date, ${rate("tool_call_count > 0", "tool_use_rate")}, avg(coalesce(tool_call_count, 0)) AS avg_tool_calls, avg(coalesce(tool_result_count, 0)) AS avg_tool_results ${from("llm_calls", ask)} GROUP BY date ORDER BY date`,
  llm_tool_name_breakdown: (ask) =>
    `SELECT name, name AS tool_name, count(*) AS calls FROM (SELECT unnest(from_json(tool_names, '["VARCHAR"]')) AS name ${from("llm_calls", ask)}) GROUP BY name ORDER BY calls DESC, name`,
  llm_trace_summary: (ask) =>
    `SELECT trace_id AS name, trace_id, NULL AS user_id, coalesce(website_id, '') AS website_id, count(*) AS calls, coalesce(sum(total_tokens), 0) AS total_tokens, coalesce(sum(total_cost_usd), 0) AS total_cost, count(error_name) AS errors, ${durations} ${from("llm_calls", ask)} AND trace_id IS NOT NULL GROUP BY trace_id, website_id ORDER BY calls DESC, total_tokens DESC, errors DESC, trace_id`,
  llm_recent_calls: (ask) =>
    `SELECT ${iso("ts")} AS timestamp, coalesce(trace_id, '') AS trace_id, NULL AS user_id, provider, model, total_tokens, total_cost_usd AS total_token_cost_usd, duration_ms, coalesce(finish_reason, '') AS finish_reason, coalesce(error_name, '') AS error_name ${from("llm_calls", ask)} ORDER BY ts DESC LIMIT 100`,

  browsers_grouped: (ask) =>
    audience(
      `${known("browser")} AS name, ${known("browser")} AS browser_name, ${known("browser_version")} AS browser_version`,
      ask,
      "name, browser_version",
    ),
  browser_versions: (ask) =>
    audience(
      `${known("browser")} || coalesce(' ' || browser_version, '') AS name, ${known("browser")} AS browser_name, ${known("browser_version")} AS browser_version`,
      ask,
      "browser_name, browser_version",
    ),
  os_versions: (ask) =>
    audience(
      `${known("os")} || coalesce(' ' || os_version, '') AS name, ${known("os")} AS os_name, ${known("os_version")} AS os_version`,
      ask,
      "os_name, os_version",
    ),
  cities: (ask) => cities(ask),
  city: (ask) => cities(ask),

  today_metrics: (ask) =>
    `SELECT sum(views) AS pageviews, ${visitorsOfVisits}, count(*) AS sessions ${visits(ask, today)}`,
  active_stats: (ask) =>
    `SELECT count(DISTINCT visitor) AS active_users, count(*) AS active_sessions ${visits(ask, lastMinutes(5), true)}`,
  realtime_pages: (ask) =>
    `SELECT ${known("path")} AS path, count(*) AS pageviews, ${visitors} ${eventsNow(ask, lastMinutes(5))} AND event_type = 'page_view' GROUP BY ${known("path")} ORDER BY pageviews DESC, visitors DESC, path`,
  realtime_referrers: (ask) =>
    `SELECT coalesce(referrer_source, 'Direct') AS referrer, ${visitorsOfVisits} ${visits(ask, lastMinutes(5), true)} GROUP BY 1 ORDER BY visitors DESC, referrer`,
  realtime_countries: (ask) =>
    `SELECT ${known("country")} AS name, ${visitorsOfVisits} ${visits(ask, lastMinutes(5), true)} GROUP BY 1 ORDER BY visitors DESC, name`,
  realtime_cities: (ask) =>
    `SELECT ${known("city")} AS city, ${known("country")} AS country, ${visitorsOfVisits} ${visits(ask, lastMinutes(5), true)} GROUP BY 1, 2 ORDER BY visitors DESC, city, country`,
  realtime_feed: (ask) =>
    `SELECT name AS event_name, coalesce(path, '') AS path, coalesce(country, '') AS country, coalesce(browser, '') AS browser_name, ${iso("ts")} AS timestamp ${eventsNow(ask, lastMinutes(5))} AND event_type != 'page_exit' ORDER BY ts DESC LIMIT 30`,
  realtime_sessions: (ask) =>
    `SELECT session_id, coalesce(arg_max(path, ts) FILTER (event_type = 'page_view' AND path IS NOT NULL), '') AS current_page, coalesce(arg_max(country, ts) FILTER (country IS NOT NULL), '') AS country, coalesce(arg_max(device, ts) FILTER (device IS NOT NULL), '') AS device_type, count(*) FILTER (event_type = 'page_view') AS pages_viewed, ${iso("max(ts)")} AS last_seen ${eventsNow(ask, lastMinutes(5))} GROUP BY session_id ORDER BY max(ts) DESC LIMIT 20`,
  realtime_velocity: (ask) =>
    `SELECT strftime(make_timestamp(minute * 60000000), '%Y-%m-%dT%H:%M:%SZ') AS minute, count(*) FILTER (event_type = 'page_view') AS pageviews, count(*) FILTER (event_type != 'page_exit') AS events, count(DISTINCT visitor) FILTER (event_type != 'page_exit') AS visitors FROM (SELECT unnest(range(${lastMinute - 29}, ${lastMinute + 1})) AS minute) LEFT JOIN (SELECT ts // 60000 AS minute, * ${eventsNow(ask, [(lastMinute - 29) * 60_000, nowMs + 1])}) USING (minute) GROUP BY 1 ORDER BY 1`,
  realtime_recent_stats: (ask) =>
    `SELECT count(DISTINCT visitor) AS visitors, count(*) AS active_sessions ${visits(ask, halfHour, true)}`,
  realtime_recent_pages: (ask) =>
    `SELECT ${known("path")} AS path, count(*) AS pageviews, ${visitors} ${eventsNow(ask, halfHour)} AND event_type = 'page_view' GROUP BY ${known("path")} ORDER BY pageviews DESC, visitors DESC, path LIMIT 10`,
  realtime_recent_referrers: (ask) => recentVisits("coalesce(referrer_source, 'Direct')", "referrer", ask),
  realtime_recent_countries: (ask) => recentVisits(known("country"), "name", ask),
  realtime_recent_devices: (ask) => recentVisits(known("device"), "name", ask),
  realtime_recent_events: (ask) =>
    `SELECT event_type, name AS event_name, coalesce(path, '') AS path, coalesce(country, '') AS country, coalesce(device, '') AS device_type, ${iso("ts")} AS timestamp ${eventsNow(ask, halfHour)} AND event_type != 'page_exit' ORDER BY ts DESC LIMIT 30`,
};

function recentVisits(key: string, name: string, ask: Ask): string {
  return `SELECT ${key} AS ${name}, ${visitorsOfVisits} ${visits(ask, halfHour, true)} GROUP BY 1 ORDER BY visitors DESC, ${name} LIMIT 10`;
}

function lastMinutes(minutes: number): [number, number] {
  return [nowMs - minutes * 60_000, nowMs + 1];
}

function costSeries(column: string, ask: Ask): string {
  const rows = from("llm_calls", ask);
  return (
    `SELECT date, ${column}, coalesce(sum(total_cost_usd), 0) AS total_cost FROM (SELECT DISTINCT ${day} AS date ${rows}) ` +
    `CROSS JOIN (SELECT DISTINCT ${column} ${rows}) LEFT JOIN (SELECT ${day} AS date, ${column}, total_cost_usd ${rows}) ` +
    `USING (date, ${column}) GROUP BY date, ${column} ORDER BY date, ${column}`
  );
}

function audience(keys: string, ask: Ask, order: string): string {
  // Page views of a filter on events may be none, so the shares are those of the sessions then.
  const shared = (ask.filters ?? []).some(({ isOfVisit }) => isOfVisit !== true) ? "sessions" : "pageviews";
  return (
    `SELECT *, 100.0 * ${shared} / sum(${shared}) OVER () AS percentage FROM (SELECT ${keys}, sum(views) AS pageviews, ` +
    `${visitorsOfVisits}, count(*) AS sessions ${visits(ask)} GROUP BY ALL) ORDER BY pageviews DESC, visitors DESC, sessions DESC, ${order}`
  );
}

function cities(ask: Ask): string {
  return audience(
    `${known("city")} AS name, ${known("country")} AS country, ${known("region")} AS region`,
    ask,
    "name, region, country",
  );
}

const german: Filter = { field: "country", op: "eq", value: "DE", sql: "country = 'DE'", isOfVisit: true };
const notPath: Filter = {
  field: "path",
  op: "not_contains",
  value: "'",
  sql: "NOT coalesce(contains(path, ''''), false)",
};
const overMessage: Filter = {
  field: "message",
  op: "starts_with",
  value: "it's",
  sql: "starts_with(message, 'it''s')",
};
const noAnswer: Filter = {
  field: "http_status",
  op: "in",
  value: [200, "Unknown"],
  sql: "(http_status = 200 OR http_status IS NULL)",
};
const model: Filter = { field: "model", op: "ne", value: "it's", sql: "model != 'it''s'" };

describe("4.1 answers over raw rows equal DuckDB's over the same rows", () => {
  for (const [name, sqlOf] of Object.entries(wanted)) {
    const table = catalogue.get(name)?.table;
    const filtered: Ask[] =
      table === "llm_calls"
        ? [{ filters: [model, noAnswer] }, { withOrganization: true }, { withOrganization: true, filters: [noAnswer] }]
        : table === "script_errors"
          ? [{ filters: [german] }, { filters: [overMessage, notPath] }]
          : [{ filters: [german] }, { filters: [notPath] }];
    for (const ask of [{}, ...filtered])
      test(`${name} ${(ask.filters ?? []).map(({ sql }) => sql).join(" and ")}${ask.withOrganization ? " of the organization" : ""}`, async () => {
        const rows = await answer(name, ask);
        expect(rows.length).toBeGreaterThan(0);
        for (const row of rows)
          expect(Object.keys(row)).toEqual(catalogue.get(name)?.fields.map((field) => field.name));
        expectNear(rows, await oracle.rows(sqlOf(ask)));
      });
  }

  test("all expected types are tested", () => {
    const categories = new Set(["performance", "llm-analytics", "realtime"]);
    const missing = [...catalogue.values()].filter(
      ({ category, name }) => categories.has(category) && !(name in wanted),
    );
    expect(missing.map(({ name }) => name)).toEqual([]);
  });
});

test("4.1 pages of a list follow one order", async () => {
  const whole = await answer("recent_errors", { limit: 1_000 });
  const pieces = await Promise.all([1, 2, 3, 4].map((page) => answer("recent_errors", { limit: 40, page })));
  expect(whole.length).toBeGreaterThan(120);
  expect(pieces.flat()).toEqual(whole);
});

test("4.1 a split series has each value in each bucket, also by the hour and on later pages", async () => {
  const whole = await answer("vitals_time_series", { unit: "hour" });
  expect(whole).toHaveLength(72 * 9);
  const none = whole.filter(({ samples }) => samples === 0);
  expect(none.length).toBeGreaterThan(0);
  for (const row of none) expect(row).toMatchObject({ p50: null, p75: null, p99: null });
  const page = await answer("vitals_time_series", { unit: "hour", limit: 100, page: 2 });
  expect(page).toEqual(whole.slice(100, 200));
});

test("4.1 a realtime type ignores hours and dates", async () => {
  const rows = await answer("realtime_velocity", { unit: "hour" });
  expect(rows).toHaveLength(30);
  expect(rows[0]).toMatchObject({ minute: new Date(nowMs - 29 * 60_000).toISOString().replace(".000", "") });
});

/** Percentiles have three digits; averages are rounded and depend on the order of their sum. Everything else is exact. */
function tolerance(name: string, value: number): number {
  if (/^p\d\d/.test(name)) return Math.abs(value) * 0.002 + (value > 1 ? 0.006 : 1e-7);
  if (/^avg|rate$|Rate$|^percentage$/.test(name)) return 0.00501;
  return name.includes("cost") ? 1e-8 : 0;
}

function expectNear(actual: readonly JsonObject[], expected: readonly OracleRow[]): void {
  const settled = expected.map((row, index) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => {
        const found = actual[index]?.[name];
        const isNear =
          typeof value === "number" && typeof found === "number" && Math.abs(found - value) <= tolerance(name, value);
        return [name, isNear ? found : value];
      }),
    ),
  );
  expect(actual).toEqual(settled);
}
