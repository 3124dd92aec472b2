import { column, integers, ms, numberKey, numbers, textKey, texts, wholeMs } from "./columns.ts";
import type { Dataset } from "./dataset.ts";

const eventKey = numberKey("event_key");

const timestamp = column("timestamp", "timestamp", ms("ts"));
const properties = column("json", "properties");
const browser = column("text", "browser_name", "browser");
const os = column("text", "os_name", "os");
const device = column("text", "device_type", "device");

/** Files of an export in their order in the archive. Columns are named as in specification part 2 and in structured queries. */
export const datasets: readonly Dataset[] = [
  {
    name: "events",
    dataType: "events",
    table: "events",
    keys: [eventKey],
    columns: [
      ...texts("event_id", "event_type", "name", "website_id", "anonymous_id", "session_id"),
      timestamp,
      ...texts("path", "title", "referrer", "referrer_source", "referrer_group"),
      column("text", "screen_resolution", "screen"),
      ...texts("viewport", "language", "timezone", "country", "region", "city"),
      browser,
      ...texts("browser_version"),
      os,
      ...texts("os_version"),
      device,
      column("text", "connection_type", "connection"),
      column("number", "rtt_ms"),
      column("number", "downlink_mbps"),
      ...texts("utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"),
      column("number", "time_on_page_ms"),
      column("number", "scroll_depth_percent"),
      column("integer", "interaction_count"),
      column("integer", "page_count"),
      properties,
    ],
  },
  {
    name: "outgoing_links",
    dataType: "events",
    table: "outgoing_links",
    keys: [eventKey],
    columns: [
      ...texts("event_id", "website_id", "anonymous_id", "session_id"),
      timestamp,
      ...texts("path", "href", "text"),
      properties,
    ],
  },
  {
    name: "sessions",
    dataType: "sessions",
    table: "sessions",
    keys: [numberKey("session_key")],
    only: "last_activity_ms != null",
    columns: [
      ...texts("session_id", "website_id", "anonymous_id"),
      column("timestamp", "start_time", ms("started")),
      column("timestamp", "last_activity", "last_activity_ms"),
      column("integer", "page_count"),
      column("number", "duration_seconds"),
      ...texts("entry_page", "exit_page", "utm_source", "utm_campaign", "country"),
    ],
  },
  {
    name: "aggregated",
    dataType: "aggregated",
    table: "daily_aggregates",
    keys: [textKey("page")],
    only: "total_views > 0",
    hasUtcDays: true,
    columns: [
      column("date", "date", ms("ts")),
      ...texts("website_id", "page"),
      column("integer", "total_views"),
      column("integer", "unique_visitors"),
      column("number", "avg_duration_seconds"),
      column("number", "bounce_rate"),
      column("json", "top_referrers"),
    ],
  },
  {
    name: "excluded_traffic",
    dataType: "excluded_traffic",
    table: "excluded_traffic",
    keys: [eventKey],
    columns: [
      ...texts("website_id"),
      // The quarter of an hour in which they were sent.
      timestamp,
      ...texts("reason", "kind", "name", "operator"),
      ...integers("events"),
    ],
  },
  {
    name: "performance_metrics",
    dataType: "performance",
    table: "performance_metrics",
    // A page view has a row for each of its figures.
    keys: [eventKey, textKey("metric_type")],
    columns: [
      ...texts("website_id", "session_id"),
      timestamp,
      ...texts("metric_type"),
      column("number", "value"),
      ...texts("path", "country", "region", "city"),
      browser,
      os,
      device,
    ],
  },
  {
    name: "script_errors",
    dataType: "errors",
    table: "script_errors",
    keys: [eventKey],
    columns: [
      ...texts("event_id", "website_id", "anonymous_id", "session_id"),
      timestamp,
      ...texts("message", "error_type", "filename"),
      ...integers("line_number", "column_number"),
      ...texts("stack", "path", "country", "region"),
      browser,
      ...texts("browser_version"),
      os,
      ...texts("os_version"),
      device,
    ],
  },
  {
    name: "llm_calls",
    dataType: "llm_calls",
    table: "llm_calls",
    keys: [eventKey],
    columns: [
      ...texts("event_id", "website_id"),
      timestamp,
      ...texts("provider", "model", "call_type", "finish_reason"),
      ...integers("input_tokens", "output_tokens", "total_tokens", "cached_input_tokens"),
      ...integers("cache_creation_input_tokens", "reasoning_tokens", "web_search_count"),
      ...numbers("input_cost_usd", "output_cost_usd", "total_cost_usd", "duration_ms"),
      ...integers("http_status", "tool_call_count", "tool_result_count"),
      column("json", "tool_names"),
      ...texts("error_name", "error_message", "error_stack", "trace_id"),
    ],
  },
  {
    name: "link_clicks",
    dataType: "link_clicks",
    table: "link_clicks",
    // Keys of clicks are random, so two links may have the same one.
    keys: [eventKey, textKey("link_id")],
    columns: [
      ...texts("link_id", "website_id"),
      timestamp,
      ...texts("country", "region", "city"),
      browser,
      os,
      device,
      ...texts("language", "referrer_source", "target_website_id", "target_path"),
    ],
  },
  {
    name: "uptime_checks",
    dataType: "uptime",
    table: "uptime_checks",
    keys: [textKey("monitor_id"), textKey("region")],
    columns: [
      ...texts("monitor_id", "website_id"),
      column("timestamp", "scheduled_at", ms("ts")),
      column("timestamp", "timestamp", "started_ms"),
      column("timestamp", "finished_at", "finished_ms"),
      column("text", "probe_region", "region"),
      ...texts("status", "slot_status"),
      ...integers("slot_count", "interval_ms", "http_code"),
      ...numbers("dns_ms", "connect_ms", "tls_ms", "ttfb_ms", "total_ms"),
      ...integers("response_bytes", "ssl_valid"),
      column("timestamp", "ssl_expiry", "ssl_expiry_ms"),
      ...integers("attempts"),
      ...texts("error"),
    ],
  },
  {
    name: "incidents",
    dataType: "uptime",
    table: "incidents",
    columns: [
      column("text", "incident_id", "incidents.id"),
      ...texts("monitor_id", "website_id"),
      column("timestamp", "started_at", wholeMs("started_at")),
      column("timestamp", "opened_at", wholeMs("opened_at")),
      column("timestamp", "resolved_at", wholeMs("resolved_at")),
      ...texts("first_error"),
      ...integers("checks_affected"),
      column("json", "regions", "to_json(regions)::text"),
      column("timestamp", "acknowledged_at", wholeMs("acknowledged_at")),
      ...texts("acknowledged_by"),
    ],
  },
];

/** The datasets of data types, each once. */
export function datasetsOf(dataTypes: readonly string[]): readonly Dataset[] {
  return datasets.filter(({ dataType }) => dataTypes.includes(dataType));
}
