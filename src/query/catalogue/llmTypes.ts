import type { FieldName } from "../sql/fields.ts";
import { define, type Group, series, summary, table } from "./define.ts";
import {
  dateField,
  grouped,
  measured,
  notKept,
  type OutputField,
  type QueryType,
  seriesLimit,
  shown,
} from "./queryType.ts";

// What a business asks its models and pays for them is confidential, so no public dashboard shows it.
const llm = { category: "llm-analytics", isPublic: false, table: "llm_calls" } as const satisfies Group;
const failed = { ...llm, only: "failed_call" } as const;

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

function over(name: string, title: string, what: string, figures: readonly OutputField[]): QueryType {
  return series(llm, name, title, `${what} of calls of language models, by day or hour.`, figures);
}

function costOver(name: string, dimension: "provider" | "model", label: string): QueryType {
  const description = `Cost of calls by day or hour and ${dimension}. Each ${dimension} of the range is in each bucket; the 100 that cost most.`;
  const fields = [dateField, grouped(dimension, label), measured("llm_cost", "total_cost")];
  const shape = { kind: "split_series", dimension } as const;
  return define(llm, name, `Cost by ${dimension} over time`, description, shape, fields, { defaultLimit: seriesLimit });
}

function by(
  name: string,
  title: string,
  dimensions: readonly FieldName[],
  figures: readonly OutputField[],
  group: Group = llm,
  description = `${title} of language models, most calls first.`,
): QueryType {
  return table(group, name, title, description, dimensions, [grouped("name", title), ...figures]);
}

const list = { kind: "list" } as const;

const timestamp = shown("timestamp", "Time", "time", { column: "ts" });
const provider = shown("provider", "Provider", "text");
const model = shown("model", "Model", "text");
const totalTokens = shown("total_tokens", "Tokens", "figure", { unit: "tokens" });
const durationMs = shown("duration_ms", "Duration", "figure", { unit: "ms" });
const finishReason = shown("finish_reason", "Finish reason", "text");
const errorName = shown("error_name", "Error", "text");
const traceId = shown("trace_id", "Trace", "text");
const userId = notKept("user_id", "User, always null: no users are kept");

const modelAndProvider = [grouped("model", "Model"), grouped("provider", "Provider", 1)];

const breakdownFields = [
  measured("llm_calls", "calls"),
  ...costFields,
  ...durationFields,
  measured("llm_error_rate", "error_rate"),
];

/** Calls of language models. A failed call is one with an error; rates are percent of calls, costs US dollars. */
export const llmTypes: readonly QueryType[] = [
  summary(
    llm,
    "llm_overview_kpis",
    "Language models",
    "The main figures of calls of language models in one row. Rates are percent of all calls.",
    [
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
  ),
  over("llm_time_series", "Calls over time", "Number, cost, tokens and duration", [
    measured("llm_calls", "total_calls"),
    ...costFields,
    ...durationFields,
  ]),
  by("llm_provider_breakdown", "Providers", ["provider"], [grouped("provider", "Provider"), ...breakdownFields]),
  by("llm_model_breakdown", "Models", ["model", "provider"], [...modelAndProvider, ...breakdownFields]),
  by(
    "llm_finish_reason_breakdown",
    "Finish reasons",
    ["finish_reason"],
    [grouped("finish_reason", "Finish reason"), measured("llm_calls", "calls")],
  ),
  by(
    "llm_error_breakdown",
    "Errors",
    ["error_name"],
    [
      grouped("error_name", "Error"),
      measured("llm_sample_message", "sample_message"),
      measured("llm_errors", "error_count"),
    ],
    failed,
    "Failed calls by error, with the last message, most frequent first.",
  ),
  costOver("llm_cost_by_provider_time_series", "provider", "Provider"),
  costOver("llm_cost_by_model_time_series", "model", "Model"),
  over("llm_latency_time_series", "Durations over time", "Average and percentiles of the duration", [
    ...durationFields,
    measured("llm_p95_duration", "p95_duration_ms"),
  ]),
  by("llm_latency_by_model", "Durations by model", ["model", "provider"], [...modelAndProvider, ...latencyFields]),
  by(
    "llm_latency_by_provider",
    "Durations by provider",
    ["provider"],
    [grouped("provider", "Provider"), ...latencyFields],
  ),
  define(
    llm,
    "llm_slowest_calls",
    "Slowest calls",
    "Calls of language models, longest first.",
    { kind: "list", largestFirst: ["duration_ms"] },
    [timestamp, provider, model, totalTokens, durationMs, finishReason, errorName, traceId],
  ),
  over("llm_error_rate_time_series", "Failed calls over time", "Number and share of failed calls", [
    measured("llm_errors", "error_count"),
    measured("llm_error_rate", "error_rate"),
  ]),
  by(
    "llm_http_status_breakdown",
    "HTTP statuses",
    ["http_status"],
    [measured("llm_http_status", "http_status"), measured("llm_calls", "calls")],
  ),
  define(failed, "llm_recent_errors", "Recent errors", "Failed calls of language models, newest first.", list, [
    timestamp,
    errorName,
    shown("error_message", "Message", "text"),
    shown("error_stack", "Stack", "text"),
    model,
    provider,
    shown("http_status", "HTTP status", "figure", { unit: "status code" }),
    durationMs,
  ]),
  over("llm_tool_use_time_series", "Use of tools over time", "Use of tools and their results", [
    measured("llm_tool_use_rate", "tool_use_rate"),
    measured("llm_avg_tool_calls", "avg_tool_calls"),
    measured("llm_avg_tool_results", "avg_tool_results"),
  ]),
  define(
    llm,
    "llm_tool_name_breakdown",
    "Tools",
    "How often each tool was used, most used first. Of the 10,000 most frequent lists of tools.",
    { kind: "tool_names" },
    [
      shown("name", "Tool", "text", { column: "tool_name" }),
      shown("tool_name", "Tool", "text"),
      shown("calls", "Uses", "count"),
    ],
  ),
  define(
    llm,
    "llm_trace_summary",
    "Traces",
    "Calls that name a trace, by trace, most calls first.",
    { kind: "table", dimensions: ["trace_id", "website_id"], withoutValue: "none" },
    [
      grouped("name", "Traces"),
      grouped("trace_id", "Trace"),
      userId,
      grouped("website_id", "Website, empty for calls of the organization only", 1),
      measured("llm_calls", "calls"),
      measured("llm_tokens", "total_tokens"),
      measured("llm_cost", "total_cost"),
      measured("llm_errors", "errors"),
      ...durationFields,
    ],
  ),
  define(llm, "llm_recent_calls", "Recent calls", "Calls of language models, newest first.", list, [
    timestamp,
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
