import { type CustomTable, defineTable } from "./customTable.ts";

const ids = same("event_id", "website_id", "anonymous_id", "session_id");
const place = { ...same("country", "region"), browser_name: "browser", os_name: "os", device_type: "device" } as const;
const time = { timestamp: "ts" } as const;

const tables: readonly CustomTable[] = [
  defineTable("events", "events", {
    meaning: "page views, ends of page views (page_exit) and custom events",
    key: "event_key",
    columns: {
      ...ids,
      ...same("event_type", "name"),
      ...time,
      ...same("path", "title", "referrer", "referrer_source", "referrer_group", "viewport"),
      screen_resolution: "screen",
      ...same("language", "timezone"),
      ...place,
      connection_type: "connection",
      ...same("utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"),
      ...same("time_on_page_ms", "scroll_depth_percent", "interaction_count", "properties"),
    },
  }),
  defineTable("outgoing_links", "outgoing_links", {
    meaning: "clicks on links that leave the site",
    key: "event_key",
    columns: { ...ids, ...time, ...same("path", "href", "text", "properties") },
  }),
  defineTable("performance_metrics", "performance_metrics", {
    meaning: "measurements on pages: Web Vitals and load times",
    aliases: ["web_vitals_spans"],
    key: "event_key",
    columns: { ...same("metric_type", "value", "website_id", "path"), ...time, ...same("session_id"), ...place },
  }),
  defineTable("script_errors", "script_errors", {
    meaning: "errors in scripts on pages",
    aliases: ["error_spans"],
    key: "event_key",
    columns: {
      ...ids,
      ...time,
      ...same("message", "error_type", "filename", "line_number", "column_number", "stack", "path"),
      ...place,
    },
  }),
  defineTable("sessions", "sessions", {
    meaning: "session records, brought up to date each minute; their time is their start",
    only: "last_activity_ms != null",
    key: "session_key",
    columns: {
      ...same("session_id", "website_id", "anonymous_id"),
      start_time: "started",
      last_activity: "last_activity_ms",
      ...same("page_count", "duration_seconds", "entry_page", "exit_page", "utm_source", "utm_campaign", "country"),
    },
  }),
  defineTable("daily_aggregates", "daily_aggregates", {
    meaning:
      "one record for each day (UTC) and page, whose views count on the day their visit began; bounce_rate is a fraction",
    only: "total_views > 0",
    isDaily: true,
    key: "page",
    columns: {
      date: "ts",
      ...same("website_id", "page", "total_views", "unique_visitors", "avg_duration_seconds", "bounce_rate"),
      ...same("top_referrers"),
    },
  }),
  defineTable("llm_calls", "llm_calls", {
    meaning: "calls of language models that belong to the website",
    key: "event_key",
    columns: {
      ...same("event_id", "website_id"),
      ...time,
      ...same("provider", "model", "call_type", "finish_reason"),
      ...same("input_tokens", "output_tokens", "total_tokens", "cached_input_tokens", "reasoning_tokens"),
      ...same("input_cost_usd", "output_cost_usd", "total_cost_usd", "duration_ms", "http_status"),
      ...same("error_name", "trace_id"),
    },
  }),
];

/** Columns that are documented under the name that they have in QuestDB. */
function same<Name extends string>(...names: readonly Name[]): { readonly [N in Name]: N } {
  return Object.fromEntries(names.map((name) => [name, name])) as { readonly [N in Name]: N };
}

/** Every documented table by its name and its aliases. */
export const customTables: ReadonlyMap<string, CustomTable> = new Map(
  tables.flatMap((table) => [table.name, ...table.aliases].map((name): [string, CustomTable] => [name, table])),
);
