import type { FieldName } from "../../../src/query/sql/fields.ts";
import type { MeasureName, RowKind } from "../../../src/query/sql/measures.ts";

/** The definitions of fields, figures and kinds of rows, written a second time in DuckDB's SQL. */

/**
 * `empty`: what answers show for no value; `none`: a value that means none. `isOfVisits`: events and links have the value of their visit, so
 * `sql` is a column of visits there. `ignoresCase`: filters do. `isPath`: they take any spelling of it.
 */
export type OracleField = {
  readonly sql: string;
  readonly searched?: readonly string[];
  readonly empty?: string;
  readonly none?: string;
  readonly isOfVisits?: boolean;
  readonly ignoresCase?: boolean;
  readonly isPath?: boolean;
};

const column = (sql: string): OracleField => ({ sql });
const ofVisits = (sql: string, more: Partial<OracleField> = {}): OracleField => ({ sql, isOfVisits: true, ...more });

export const oracleFields: Partial<Record<FieldName | (string & {}), OracleField>> = {
  path: { ...column("path"), isPath: true },
  title: column("title"),
  event_type: column("event_type"),
  event_name: column("name"),
  "properties.plan": { sql: `json_extract_string(properties, '$."plan"')`, empty: "" },
  "properties.a.b": { sql: `json_extract_string(properties, '$."a.b"')`, empty: "" },
  "properties.price": { sql: `json_extract_string(properties, '$."price"')`, empty: "" },

  referrer: ofVisits("referrer_source", { searched: ["referrer", "referrer_source"], empty: "Direct" }),
  referrer_source: ofVisits("referrer_source", { empty: "Direct" }),
  referrer_url: ofVisits("referrer", { empty: "Direct" }),
  referrer_group: ofVisits("referrer_group", { empty: "direct", none: "direct" }),
  entry_page: ofVisits("entry_page", { isPath: true }),
  exit_page: ofVisits("exit_page", { isPath: true }),
  country: ofVisits("country"),
  region: ofVisits("region"),
  city: ofVisits("city"),
  language: ofVisits("language"),
  timezone: ofVisits("timezone"),
  browser_name: ofVisits("browser"),
  browser: ofVisits("browser"),
  browser_version: ofVisits("browser_version"),
  os_name: ofVisits("os"),
  os_version: ofVisits("os_version"),
  device_type: ofVisits("device"),
  connection_type: ofVisits("connection"),
  screen_resolution: ofVisits("screen"),
  viewport_size: ofVisits("viewport"),
  utm_source: ofVisits("utm_source", { ignoresCase: true }),
  utm_medium: ofVisits("utm_medium", { ignoresCase: true }),
  utm_campaign: ofVisits("utm_campaign"),
  utm_term: ofVisits("utm_term"),
  utm_content: ofVisits("utm_content"),
  session_id: ofVisits("session_id"),
  anonymous_id: ofVisits("anonymous_id"),
  visitor_type: ofVisits("visitor_type"),

  href: column("href"),
  text: column("text"),
  domain: column("regexp_extract(href, '^[a-z]+://([^/]*)', 1)"),
  metric_name: column("metric_type"),
  message: column("message"),
  error_type: column("error_type"),
  filename: column("filename"),
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

export const oracleMeasures: Partial<Record<MeasureName, OracleMeasure>> = {
  pageviews: exact("count(*) FILTER (event_type = 'page_view')"),
  visitors,
  active_sessions: exact("count(DISTINCT visit) FILTER (event_type <> 'page_exit')"),
  total_events: exact("count(*) FILTER (event_type IN ('page_view', 'custom'))"),
  custom_events: exact("count(*) FILTER (event_type = 'custom')"),
  events_with_properties: exact("count(*) FILTER (properties IS NOT NULL)"),
  event_names: exact("count(DISTINCT name)"),
  paths: exact("count(DISTINCT path)"),
  first_seen: exact("min(ts)"),
  last_seen: exact("max(ts)"),
  sessions: count,
  session_visitors: visitors,
  bounce_rate: exact("100 * avg(bounced)"),
  avg_session_duration: exact("avg(seconds)"),
  median_session_duration: { sql: "quantile_disc(seconds, 0.5)", isPercentile: true },
  pages_per_session: exact("avg(page_views)"),
  clicks: count,
  click_visitors: visitors,
  click_sessions: exact("count(DISTINCT visit)"),
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
  error_sessions: exact("count(DISTINCT session_key)"),
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

/** The measures of events that are sums over visits where a type has no groups or groups by fields of visits. */
export const measuresOfVisits: Partial<Record<MeasureName, OracleMeasure>> = {
  pageviews: exact("sum(chosen_views)"),
  visitors,
  // Events that stand for themselves are in the same relation.
  active_sessions: exact("count(visit)"),
  total_events: exact("sum(chosen_views + chosen_actions)"),
  custom_events: exact("sum(chosen_actions)"),
};
