import type { ColumnFormat } from "./columnValue.ts";
import type { FactTable } from "./fields.ts";

/**
 * The definitions of what is counted, shared by all answers:
 *
 * - page view: an event of the type page_view;
 * - visitor: a distinct visitor key, whatever the visitor did;
 * - session, or visit: as src/aggregation/sessions.ts defines it, whole; it belongs to the range and bucket in which it began, and to the group
 *   of its first event that has a value;
 * - session where events are counted: a session with an event in the group other than a page_exit;
 * - bounce: a session with exactly one page view, shorter than 10 s, without a custom event and without an outgoing
 *   link;
 * - bounce rate: bounces among sessions, percent from 0 to 100;
 * - slot: one time at which a monitor was due and a region answered; down when the regions decided so together;
 * - events in total: page views and custom events. A page_exit only lengthens its session.
 *
 * Filters on event fields select events, those on visit fields select visits: see docs/user/queries.md.
 */

/** Kinds of events that can be counted separately. */
export const eventKinds = {
  page_view: "event_type = 'page_view'",
  custom: "event_type = 'custom'",
  visible: "event_type IN ('page_view', 'custom')",
} as const;

/** Which events were left out, by the reason and the kind of bot. */
const excludedAs = {
  bot: "reason = 'bot'",
  ai: "kind IN ('ai_crawler', 'ai_agent')",
} as const;

/** Kinds of rows of any table that can be selected. */
export const rowKinds = {
  ...ofTable("events", {
    ...eventKinds,
    // What the tracker sends for data-404 and `lookout.view({ notFound: true })`.
    not_found: `${eventKinds.page_view} AND json_extract(properties, '[notFound]') = 'true'`,
  }),
  ...ofTable("performance_metrics", {
    page_load: "metric_type IN ('load_time', 'dom_ready_time', 'render_time', 'TTFB')",
    web_vital: "metric_type IN ('LCP', 'FCP', 'CLS', 'INP', 'FID', 'TTFB')",
  }),
  ...ofTable("excluded_traffic", { ai_system: excludedAs.ai }),
  ...ofTable("llm_calls", { failed_call: "error_name IS NOT NULL" }),
} as const;

export type RowKind = keyof typeof rowKinds;

/**
 * What a measure is computed from: rows of a table, sessions built from events, or slots built from the checks of
 * regions.
 */
export type Relation = FactTable | "sessions" | "uptime_slots";

export type Measure = {
  readonly relation: Relation;
  /** An aggregate over the columns of the relation. */
  readonly sql: string;
  /** Replaces `sql` where there are many groups. */
  readonly inSeries?: string;
  readonly label: string;
  readonly unit?: string;
  readonly format: ColumnFormat;
};

/** A session shorter than this, with only one page view, is a bounce. */
const bounceSeconds = 10;

/** The columns of a visit that decide whether it is a bounce. */
type BounceColumns = Readonly<Record<"pageViews" | "actions" | "clicks" | "seconds", string>>;

/** The condition for a bounce, over these columns. */
export function bounceSql({ pageViews, actions, clicks, seconds }: BounceColumns): string {
  return `${pageViews} = 1 AND ${actions} = 0 AND ${clicks} = 0 AND ${seconds} < ${bounceSeconds}`;
}

/** The unit of a layout shift, which has none of physics. */
const unitOfShift = "score";

/** The unit of any figure of pages, by which it is grouped: most are times. */
const unitOfFigure = `ms (CLS: ${unitOfShift}, FPS: frames per second)`;

export const measures = {
  pageviews: count("events", "Page views", countWhere(eventKinds.page_view)),
  visitors: count("events", "Visitors", "count_distinct(visitor_key)"),
  active_sessions: count(
    "events",
    "Sessions",
    // Where events are counted with their visits, visits are: see src/query/visits/groupedEvents.ts.
    "count_distinct(CASE WHEN event_type = 'page_exit' THEN null ELSE session_key END)",
  ),
  total_events: count("events", "Events", countWhere(`${eventKinds.page_view} OR ${eventKinds.custom}`)),
  custom_events: count("events", "Custom events", countWhere(eventKinds.custom)),
  events_with_properties: count("events", "Events with properties", countWhere("properties IS NOT NULL")),
  event_names: count("events", "Event names", "count_distinct(name)"),
  paths: count("events", "Pages", "count_distinct(path)"),
  first_seen: time("events", "First seen", "min(ts)"),
  last_seen: time("events", "Last seen", "max(ts)"),

  // QuestDB 9.3.4 fails with a NullPointerException where count() reads no column of a union.
  sessions: count("sessions", "Sessions", "count(session_key)"),
  session_visitors: count("sessions", "Visitors", "count_distinct(visitor_key)"),
  bounce_rate: decimal("sessions", "Bounce rate", "percent", "avg(CASE WHEN bounced THEN 100.0 ELSE 0.0 END)"),
  avg_session_duration: decimal("sessions", "Average session duration", "s", "avg(seconds)"),
  // QuestDB has no exact median; three digits keep the error under 0.1 %.
  median_session_duration: {
    ...decimal("sessions", "Median session duration", "s", "approx_percentile(seconds, 0.5, 3)"),
    // Two digits keep the error under 1 %; with three, filling a histogram for each bucket takes longer than building
    // the sessions.
    inSeries: "approx_percentile(duration_ms, 0.5, 2) / 1000.0",
  },
  pages_per_session: decimal("sessions", "Page views per session", "page views per session", "avg(page_views)"),

  clicks: count("outgoing_links", "Clicks", "count()"),
  click_visitors: count("outgoing_links", "Visitors", "count_distinct(visitor_key)"),
  click_sessions: count("outgoing_links", "Sessions", "count_distinct(session_key)"),
  click_targets: count("outgoing_links", "Links", "count_distinct(href)"),
  last_click: time("outgoing_links", "Last click", "max(ts)"),

  link_clicks: count("link_clicks", "Clicks", "count()"),
  link_visitors: count("link_clicks", "Visitors", "count_distinct(visitor_key)"),
  link_referrers: count("link_clicks", "Referrers", "count_distinct(referrer_source)"),
  link_countries: count("link_clicks", "Countries", "count_distinct(country)"),

  samples: count("performance_metrics", "Measurements", "count()"),
  sample_visitors: count("performance_metrics", "Visitors", "count_distinct(visitor_key)"),
  avg_value: precise("performance_metrics", "Average", "avg(value)", unitOfFigure),
  p50: percentile("Median", 0.5),
  p75: percentile("75th percentile", 0.75),
  p90: percentile("90th percentile", 0.9),
  p95: percentile("95th percentile", 0.95),
  p99: percentile("99th percentile", 0.99),

  errors: count("script_errors", "Errors", "count()"),
  error_visitors: count("script_errors", "Visitors", "count_distinct(visitor_key)"),
  error_sessions: count("script_errors", "Sessions", "count_distinct(session_key)"),
  last_error: time("script_errors", "Last error", "max(ts)"),
  error_messages: count("script_errors", "Messages", "count_distinct(message)"),

  page_loads: count("performance_metrics", "Measured page views", countWhere("metric_type = 'load_time'")),
  avg_load_time: averageMs("load time", "load_time"),
  p50_load_time: medianMs("load time", "load_time"),
  avg_dom_ready_time: averageMs("time until the page could be used", "dom_ready_time"),
  avg_render_time: averageMs("render time", "render_time"),
  avg_ttfb: averageMs("time to first byte", "TTFB"),
  p50_ttfb: medianMs("time to first byte", "TTFB"),
  avg_fcp: averageMs("first contentful paint", "FCP"),
  p50_fcp: medianMs("first contentful paint", "FCP"),
  avg_lcp: averageMs("largest contentful paint", "LCP"),
  p50_lcp: medianMs("largest contentful paint", "LCP"),
  avg_inp: averageMs("interaction to next paint", "INP"),
  p50_inp: medianMs("interaction to next paint", "INP"),
  avg_cls: precise("performance_metrics", "Average layout shift", `avg(${figureOf("CLS")})`, unitOfShift),
  p50_cls: precise(
    "performance_metrics",
    "Median layout shift",
    `approx_percentile(${figureOf("CLS")}, 0.5, 3)`,
    unitOfShift,
  ),

  llm_calls: count("llm_calls", "Calls", "count()"),
  llm_cost: { relation: "llm_calls", label: "Cost", unit: "USD", sql: "sum(total_cost_usd)", format: "cost" },
  llm_tokens: count("llm_calls", "Tokens", "sum(total_tokens)"),
  llm_input_tokens: count("llm_calls", "Input tokens", "sum(input_tokens)"),
  llm_output_tokens: count("llm_calls", "Output tokens", "sum(output_tokens)"),
  llm_avg_duration: callMs("Average duration", (ms) => `avg(${ms})`),
  llm_p50_duration: callMs("Median duration", percentileOf(0.5)),
  llm_p75_duration: callMs("75th percentile of the duration", percentileOf(0.75)),
  llm_p95_duration: callMs("95th percentile of the duration", percentileOf(0.95)),
  llm_errors: count("llm_calls", "Failed calls", countWhere(rowKinds.failed_call.sql)),
  llm_error_rate: llmRate("Failed calls", rowKinds.failed_call.sql),
  llm_cache_hit_rate: llmRate("Calls with cached input", "cached_input_tokens > 0"),
  llm_tool_use_rate: llmRate("Calls that used a tool", "tool_call_count > 0"),
  llm_web_search_rate: llmRate("Calls that searched the web", "web_search_count > 0"),
  llm_avg_tool_calls: decimal(
    "llm_calls",
    "Tools used per call",
    "tools per call",
    "avg(coalesce(tool_call_count, 0))",
  ),
  llm_avg_tool_results: decimal(
    "llm_calls",
    "Tool results per call",
    "results per call",
    "avg(coalesce(tool_result_count, 0))",
  ),
  llm_http_status: {
    relation: "llm_calls",
    label: "HTTP status",
    unit: "status code",
    sql: "max(http_status)",
    format: "figure",
  },
  // With the time in front the maximum is the last one; it has 16 digits until the year 2286.
  llm_sample_message: {
    relation: "llm_calls",
    label: "Last message",
    sql: "substring(max(CASE WHEN error_message IS NOT NULL THEN concat(ts::long, error_message) ELSE null END), 17, 1000000)",
    format: "text",
  },

  excluded: excludedWhere("Events left out"),
  excluded_bots: excludedWhere("Of bots", excludedAs.bot),
  excluded_ai: excludedWhere("Of AI systems", excludedAs.ai),
  excluded_spam: excludedWhere("With a spammer as referrer", "reason = 'referrer_spam'"),
  excluded_objections: excludedWhere("Do Not Track", "reason = 'do_not_track'"),
  excluded_rules: excludedWhere("By rules of the website", "reason = 'blocked_by_rule'"),
  excluded_invalid: excludedWhere("Not valid", "reason IN ('invalid', 'properties_too_large', 'expired')"),

  uptime_percentage: precise("uptime_slots", "Uptime", "avg(CASE WHEN down = 1 THEN 0.0 ELSE 100.0 END)", "percent"),
  downtime: decimal("uptime_slots", "Downtime", "s", "sum(CASE WHEN down = 1 THEN interval_ms ELSE 0 END) / 1000.0"),
  checks: count("uptime_checks", "Checks", "count()"),
  good_checks: count("uptime_checks", "Good checks", countWhere("status != 'down'")),
  check_uptime: precise("uptime_checks", "Uptime", "avg(CASE WHEN status = 'down' THEN 0.0 ELSE 100.0 END)", "percent"),
  avg_response: answeredMs("Average response time", "total_ms", (ms) => `avg(${ms})`),
  min_response: answeredMs("Shortest response time", "total_ms", (ms) => `min(${ms})`),
  max_response: answeredMs("Longest response time", "total_ms", (ms) => `max(${ms})`),
  p50_response: answeredMs("Median response time", "total_ms", percentileOf(0.5)),
  p75_response: answeredMs("75th percentile of the response time", "total_ms", percentileOf(0.75)),
  p90_response: answeredMs("90th percentile of the response time", "total_ms", percentileOf(0.9)),
  p95_response: answeredMs("95th percentile of the response time", "total_ms", percentileOf(0.95)),
  p99_response: answeredMs("99th percentile of the response time", "total_ms", percentileOf(0.99)),
  avg_check_ttfb: answeredMs("Average time to first byte", "ttfb_ms", (ms) => `avg(${ms})`),
  p50_check_ttfb: answeredMs("Median time to first byte", "ttfb_ms", percentileOf(0.5)),
  p95_check_ttfb: answeredMs("95th percentile of the time to first byte", "ttfb_ms", percentileOf(0.95)),
  ssl_expiry: time("uptime_checks", "End of the certificate", lastOf("ssl_expiry_ms")),
  ssl_valid: {
    relation: "uptime_checks",
    label: "Certificate holds",
    sql: lastOf("ssl_valid::long"),
    format: "booleanOrNull",
  },
  // Null where no check saw a certificate: 0 would say that all of them held.
  invalid_ssl_checks: {
    relation: "uptime_checks",
    label: "Checks with a certificate that does not hold",
    sql: "sum(CASE WHEN ssl_valid = 0 THEN 1 WHEN ssl_valid = 1 THEN 0 ELSE null END)",
    format: "figure",
  },
} as const satisfies Record<string, Measure>;

export type MeasureName = keyof typeof measures;

/** The measure of a name. */
export function measureOf(name: MeasureName): Measure {
  return measures[name];
}

function count(relation: Relation, label: string, sql: string): Measure {
  return { relation, label, sql, format: "count" };
}

/** Rows have counts, so these are added up; null without rows would not be a count. */
function excludedWhere(label: string, condition?: string): Measure {
  const counted = condition === undefined ? "events" : `CASE WHEN ${condition} THEN events ELSE 0 END`;
  return count("excluded_traffic", label, `coalesce(sum(${counted}), 0)`);
}

function decimal(relation: Relation, label: string, unit: string, sql: string): Measure {
  return { relation, label, unit, sql, format: "figure" };
}

/** A percentile of measured values; three digits as with the median above. */
function percentile(label: string, share: number): Measure {
  return precise("performance_metrics", label, `approx_percentile(value, ${share}, 3)`, unitOfFigure);
}

function time(relation: Relation, label: string, sql: string): Measure {
  return { relation, label, sql, format: "time" };
}

/** More digits than other figures, since a layout shift of 0.1 is already much; null without rows. */
function precise(relation: Relation, label: string, sql: string, unit: string): Measure {
  return { relation, label, unit, sql, format: "precise" };
}

/**
 * The last non-null number. When it runs on all cores, `last_not_null` of QuestDB 9.3.4 returns null for a group whose
 * later rows have none.
 */
function lastOf(number: string): string {
  return `arg_max(${number}, CASE WHEN ${number} = null THEN null ELSE ts END)`;
}

/** The values of one performance figure. */
function figureOf(metricType: string): string {
  return `CASE WHEN metric_type = '${metricType}' THEN value ELSE null END`;
}

function averageMs(of: string, metricType: string): Measure {
  return milliseconds(`Average ${of}`, `avg(${figureOf(metricType)})`);
}

function medianMs(of: string, metricType: string): Measure {
  return milliseconds(`Median ${of}`, `approx_percentile(${figureOf(metricType)}, 0.5, 3)`);
}

function milliseconds(label: string, sql: string, relation: Relation = "performance_metrics"): Measure {
  return { relation, label, unit: "ms", sql, format: "figure" };
}

function callMs(label: string, aggregate: (ms: string) => string): Measure {
  return milliseconds(label, aggregate("duration_ms"), "llm_calls");
}

/** Of checks that got an answer: a timeout does not show how fast a server is. */
function answeredMs(label: string, column: string, aggregate: (ms: string) => string): Measure {
  const ms = `(CASE WHEN http_code > 0 THEN ${column}::double ELSE null END)`;
  return milliseconds(label, aggregate(ms), "uptime_checks");
}

/** Rounded, because QuestDB's percentiles fail on a set with both very small and very large values (9.3.4). */
function percentileOf(share: number): (ms: string) => string {
  return (ms) => `approx_percentile(round(${ms}, 3), ${share}, 3)`;
}

/** The percentage of calls that meet a condition. */
function llmRate(label: string, condition: string): Measure {
  return decimal("llm_calls", label, "percent", `avg(CASE WHEN ${condition} THEN 100.0 ELSE 0.0 END)`);
}

function ofTable<K extends string>(
  table: FactTable,
  kinds: Readonly<Record<K, string>>,
): Readonly<Record<K, { readonly table: FactTable; readonly sql: string }>> {
  const entries = Object.entries<string>(kinds).map(([kind, sql]) => [kind, { table, sql }]);
  // Object.fromEntries forgets the names of the keys.
  return Object.fromEntries(entries) as Readonly<Record<K, { readonly table: FactTable; readonly sql: string }>>;
}

/** How many rows meet a condition. */
export function countWhere(condition: string): string {
  return `sum(CASE WHEN ${condition} THEN 1 ELSE 0 END)`;
}
