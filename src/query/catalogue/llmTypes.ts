import type { FieldName } from "../sql/fields.ts";
import {
  dateField,
  grouped,
  measured,
  notKept,
  type OutputField,
  type QueryType,
  seriesLimit,
  shown,
  tableLimit,
} from "./queryType.ts";

// What a business asks its models and pays for them is confidential, so no public dashboard shows it.
const llm = { category: "llm-analytics", isPublic: false, table: "llm_calls" } as const;

const costFields = [measured("llm_cost", "total_cost"), measured("llm_tokens", "total_tokens")];
const durationFields = [
  measured("llm_avg_duration", "avg_duration_ms"),
  measured("llm_p75_duration", "p75_duration_ms"),
];
const latencyFields = [
  measured("llm_calls", "calls"),
  measured("llm_avg_duration", "avg_duration_ms"),
  measured("llm_p50_duration", "p50_duration_ms"),
  measured("llm_p75_duration", "p75_duration_ms"),
  measured("llm_p95_duration", "p95_duration_ms"),
];

function series(name: string, title: string, what: string, fields: readonly OutputField[]): QueryType {
  return {
    ...llm,
    name,
    title,
    description: `${what} of calls of language models, by day or hour.`,
    shape: { kind: "series" },
    fields: [dateField, ...fields],
    defaultLimit: seriesLimit,
  };
}

function costSeries(name: string, dimension: "provider" | "model"): QueryType {
  return {
    ...llm,
    name,
    title: `Cost by ${dimension} over time`,
    description: `Cost of calls by day or hour and ${dimension}. Each ${dimension} of the range is in each bucket; the 100 that cost most.`,
    shape: { kind: "split_series", dimension },
    fields: [
      dateField,
      grouped(dimension, dimension === "model" ? "Model" : "Provider"),
      measured("llm_cost", "total_cost"),
    ],
    defaultLimit: seriesLimit,
  };
}

function table(
  name: string,
  title: string,
  dimensions: readonly FieldName[],
  fields: readonly OutputField[],
  more: Partial<QueryType> = {},
): QueryType {
  return {
    ...llm,
    name,
    title,
    description: `${title} of language models, most calls first.`,
    shape: { kind: "table", dimensions },
    fields: [grouped("name", title), ...fields],
    defaultLimit: tableLimit,
    ...more,
  };
}

function list(
  name: string,
  title: string,
  description: string,
  fields: readonly OutputField[],
  more: Partial<QueryType> = {},
): QueryType {
  return {
    ...llm,
    name,
    title,
    description,
    shape: { kind: "list" },
    fields: [timestamp, ...fields],
    defaultLimit: tableLimit,
    ...more,
  };
}

const timestamp = shown("timestamp", "Time", "time", { column: "ts" });
const provider = shown("provider", "Provider", "text");
const model = shown("model", "Model", "text");
const totalTokens = shown("total_tokens", "Tokens", "figure");
const durationMs = shown("duration_ms", "Duration", "figure", { unit: "ms" });
const finishReason = shown("finish_reason", "Finish reason", "text");
const errorName = shown("error_name", "Error", "text");
const traceId = shown("trace_id", "Trace", "text");
const userId = notKept("user_id", "User, always null: no users are kept");

const breakdownFields = [
  measured("llm_calls", "calls"),
  ...costFields,
  ...durationFields,
  measured("llm_error_rate", "error_rate"),
];

/** Calls of language models. A failed call is one with an error; rates are percent of calls, costs US dollars. */
export const llmTypes: readonly QueryType[] = [
  {
    ...llm,
    name: "llm_overview_kpis",
    title: "Language models",
    description: "The main figures of calls of language models in one row. Rates are percent of all calls.",
    shape: { kind: "summary" },
    fields: [
      measured("llm_calls", "total_calls"),
      ...costFields,
      measured("llm_input_tokens", "total_input_tokens"),
      measured("llm_output_tokens", "total_output_tokens"),
      ...durationFields,
      measured("llm_errors", "error_count"),
      measured("llm_error_rate", "error_rate"),
      measured("llm_cache_hit_rate", "cache_hit_rate"),
      measured("llm_tool_use_rate", "tool_use_rate"),
      measured("llm_web_search_rate", "web_search_rate"),
    ],
    defaultLimit: tableLimit,
  },
  series("llm_time_series", "Calls over time", "Number, cost, tokens and duration", [
    measured("llm_calls", "total_calls"),
    ...costFields,
    ...durationFields,
  ]),
  table("llm_provider_breakdown", "Providers", ["provider"], [grouped("provider", "Provider"), ...breakdownFields]),
  table(
    "llm_model_breakdown",
    "Models",
    ["model", "provider"],
    [grouped("model", "Model"), grouped("provider", "Provider", 1), ...breakdownFields],
  ),
  table(
    "llm_finish_reason_breakdown",
    "Finish reasons",
    ["finish_reason"],
    [grouped("finish_reason", "Finish reason"), measured("llm_calls", "calls")],
  ),
  table(
    "llm_error_breakdown",
    "Errors",
    ["error_name"],
    [
      grouped("error_name", "Error"),
      measured("llm_sample_message", "sample_message"),
      measured("llm_errors", "error_count"),
    ],
    { only: "failed_call", description: "Failed calls by error, with the last message, most frequent first." },
  ),
  costSeries("llm_cost_by_provider_time_series", "provider"),
  costSeries("llm_cost_by_model_time_series", "model"),
  series("llm_latency_time_series", "Durations over time", "Average and percentiles of the duration", [
    ...durationFields,
    measured("llm_p95_duration", "p95_duration_ms"),
  ]),
  table(
    "llm_latency_by_model",
    "Durations by model",
    ["model", "provider"],
    [grouped("model", "Model"), grouped("provider", "Provider", 1), ...latencyFields],
  ),
  table(
    "llm_latency_by_provider",
    "Durations by provider",
    ["provider"],
    [grouped("provider", "Provider"), ...latencyFields],
  ),
  list(
    "llm_slowest_calls",
    "Slowest calls",
    "Calls of language models, longest first.",
    [provider, model, totalTokens, durationMs, finishReason, errorName, traceId],
    { shape: { kind: "list", largestFirst: ["duration_ms"] } },
  ),
  series("llm_error_rate_time_series", "Failed calls over time", "Number and share of failed calls", [
    measured("llm_errors", "error_count"),
    measured("llm_error_rate", "error_rate"),
  ]),
  table(
    "llm_http_status_breakdown",
    "HTTP statuses",
    ["http_status"],
    [measured("llm_http_status", "http_status"), measured("llm_calls", "calls")],
  ),
  list(
    "llm_recent_errors",
    "Recent errors",
    "Failed calls of language models, newest first.",
    [
      errorName,
      shown("error_message", "Message", "text"),
      shown("error_stack", "Stack", "text"),
      model,
      provider,
      shown("http_status", "HTTP status", "figure"),
      durationMs,
    ],
    { only: "failed_call" },
  ),
  series("llm_tool_use_time_series", "Use of tools over time", "Use of tools and their results", [
    measured("llm_tool_use_rate", "tool_use_rate"),
    measured("llm_avg_tool_calls", "avg_tool_calls"),
    measured("llm_avg_tool_results", "avg_tool_results"),
  ]),
  {
    ...llm,
    name: "llm_tool_name_breakdown",
    title: "Tools",
    description: "How often each tool was used, most used first. Of the 10,000 most frequent lists of tools.",
    shape: { kind: "tool_names" },
    fields: [
      shown("name", "Tool", "text", { column: "tool_name" }),
      shown("tool_name", "Tool", "text"),
      shown("calls", "Uses", "count"),
    ],
    defaultLimit: tableLimit,
  },
  table(
    "llm_trace_summary",
    "Traces",
    ["trace_id", "website_id"],
    [
      grouped("trace_id", "Trace"),
      userId,
      grouped("website_id", "Website, empty for calls of the organization only", 1),
      measured("llm_calls", "calls"),
      measured("llm_tokens", "total_tokens"),
      measured("llm_cost", "total_cost"),
      measured("llm_errors", "errors"),
      ...durationFields,
    ],
    {
      shape: { kind: "table", dimensions: ["trace_id", "website_id"], withoutValue: "none" },
      description: "Calls that name a trace, by trace, most calls first.",
    },
  ),
  list("llm_recent_calls", "Recent calls", "Calls of language models, newest first.", [
    traceId,
    userId,
    provider,
    model,
    totalTokens,
    shown("total_token_cost_usd", "Cost", "precise", { column: "total_cost_usd", unit: "USD" }),
    durationMs,
    finishReason,
    errorName,
  ]),
];
