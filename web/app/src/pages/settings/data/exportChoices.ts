/** The formats of exports. */
export const formats = ["csv", "json", "parquet"] as const;

/** The kinds of data that can be exported. */
export const types = [
  "events",
  "sessions",
  "aggregated",
  "excluded_traffic",
  "performance",
  "errors",
  "llm_calls",
  "link_clicks",
  "uptime",
] as const;
