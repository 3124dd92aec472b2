import type { FieldName } from "../../../src/query/sql/fields.ts";
import type { MeasureName, RowKind } from "../../../src/query/sql/measures.ts";

/** The definitions of fields, figures and kinds of rows, written a second time in DuckDB's SQL. */

type OracleField = { readonly sql: string; readonly searched?: readonly string[]; readonly empty?: string };

const column = (sql: string): OracleField => ({ sql });

export const oracleFields: Partial<Record<FieldName | (string & {}), OracleField>> = {
  path: column("path"),
  title: column("title"),
  referrer: { sql: "referrer_source", searched: ["referrer", "referrer_source"], empty: "Direct" },
  referrer_source: { sql: "referrer_source", empty: "Direct" },
  referrer_url: { sql: "referrer", empty: "Direct" },
  referrer_group: column("referrer_group"),
  country: column("country"),
  region: column("region"),
  city: column("city"),
  language: column("language"),
  timezone: column("timezone"),
  browser_name: column("browser"),
  browser: column("browser"),
  browser_version: column("browser_version"),
  os_name: column("os"),
  os_version: column("os_version"),
  device_type: column("device"),
  connection_type: column("connection"),
  screen_resolution: column("screen"),
  viewport_size: column("viewport"),
  utm_source: column("utm_source"),
  utm_medium: column("utm_medium"),
  utm_campaign: column("utm_campaign"),
  utm_term: column("utm_term"),
  utm_content: column("utm_content"),
  event_type: column("event_type"),
  event_name: column("name"),
  session_id: column("session_id"),
  href: column("href"),
  text: column("text"),
  domain: column("regexp_extract(href, '^[a-z]+://([^/]*)', 1)"),
  metric_name: column("metric_type"),
  message: column("message"),
  error_type: column("error_type"),
  filename: column("filename"),
  "properties.plan": { sql: `json_extract_string(properties, '$."plan"')`, empty: "" },
  "properties.a.b": { sql: `json_extract_string(properties, '$."a.b"')`, empty: "" },
  "properties.price": { sql: `json_extract_string(properties, '$."price"')`, empty: "" },
};

export const oracleKinds: Partial<Record<RowKind, { readonly table: string; readonly sql: string }>> = {
  page_view: { table: "events", sql: "event_type = 'page_view'" },
  custom: { table: "events", sql: "event_type = 'custom'" },
  not_found: {
    table: "events",
    sql: "event_type = 'page_view' AND json_extract_string(properties, '$.notFound') = 'true'",
  },
  page_load: {
    table: "performance_metrics",
    sql: "metric_type IN ('load_time', 'dom_ready_time', 'render_time', 'TTFB')",
  },
  web_vital: { table: "performance_metrics", sql: "metric_type IN ('LCP', 'FCP', 'CLS', 'INP', 'FID', 'TTFB')" },
};

/** `percentile`: approximate in answers. */
type OracleMeasure = { readonly sql: string; readonly isPercentile?: boolean };

const exact = (sql: string): OracleMeasure => ({ sql });
const percentile = (share: number, where = "true"): OracleMeasure => ({
  sql: `quantile_disc(value, ${share}) FILTER (${where})`,
  isPercentile: true,
});
const medianOf = (metric: string) => percentile(0.5, `metric_type = '${metric}'`);
const averageOf = (metric: string) => exact(`avg(value) FILTER (metric_type = '${metric}')`);
const count = exact("count(*)");
const visitors = exact("count(DISTINCT visitor_key)");
const sessionKeys = exact("count(DISTINCT session_key)");

export const oracleMeasures: Partial<Record<MeasureName, OracleMeasure>> = {
  pageviews: exact("count(*) FILTER (event_type = 'page_view')"),
  visitors,
  active_sessions: exact("count(DISTINCT session) FILTER (event_type <> 'page_exit')"),
  total_events: exact("count(*) FILTER (event_type IN ('page_view', 'custom'))"),
  custom_events: exact("count(*) FILTER (event_type = 'custom')"),
  events_with_properties: exact("count(*) FILTER (properties IS NOT NULL)"),
  event_names: exact("count(DISTINCT name)"),
  paths: exact("count(DISTINCT path)"),
  first_seen: exact("min(ts)"),
  last_seen: exact("max(ts)"),
  sessions: count,
  session_visitors: visitors,
  session_events: exact("sum(page_views + actions)"),
  bounce_rate: exact("100 * avg(bounced)"),
  avg_session_duration: exact("avg(seconds)"),
  median_session_duration: { sql: "quantile_disc(seconds, 0.5)", isPercentile: true },
  pages_per_session: exact("avg(page_views)"),
  clicks: count,
  click_visitors: visitors,
  click_sessions: sessionKeys,
  click_targets: exact("count(DISTINCT href)"),
  last_click: exact("max(ts)"),
  samples: count,
  sample_visitors: visitors,
  avg_value: exact("avg(value)"),
  p50: percentile(0.5),
  p75: percentile(0.75),
  p90: percentile(0.9),
  p95: percentile(0.95),
  p99: percentile(0.99),
  errors: count,
  error_visitors: visitors,
  error_sessions: sessionKeys,
  last_error: exact("max(ts)"),
  error_messages: exact("count(DISTINCT message)"),
  page_loads: exact("count(*) FILTER (metric_type = 'load_time')"),
  avg_load_time: averageOf("load_time"),
  p50_load_time: medianOf("load_time"),
  avg_dom_ready_time: averageOf("dom_ready_time"),
  avg_render_time: averageOf("render_time"),
  avg_ttfb: averageOf("TTFB"),
  p50_ttfb: medianOf("TTFB"),
  avg_fcp: averageOf("FCP"),
  p50_fcp: medianOf("FCP"),
  avg_lcp: averageOf("LCP"),
  p50_lcp: medianOf("LCP"),
  avg_inp: averageOf("INP"),
  p50_inp: medianOf("INP"),
  avg_cls: averageOf("CLS"),
  p50_cls: medianOf("CLS"),
};
