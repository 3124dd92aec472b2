import type { LlmCall } from "../../gen/lookout/v1/llm_calls_pb.ts";
import type { EveryColumn, RowOf } from "../../store/questdb/tables.ts";
import { cutAddresses } from "../facts/cutAddresses.ts";
import type { CallOwner } from "../owners/llmCallOwners.ts";

/** The row of a language model call. Missing totals are added up from their parts, else null. */
export function llmCallRow(
  call: LlmCall,
  { organizationId, websiteId, eventKey, atMs }: CallOwner & { readonly eventKey: number; readonly atMs: number },
): RowOf<"llm_calls"> {
  const { usage, cost, tools, error } = call;
  const toolNames = tools?.names ?? [];
  return {
    table: "llm_calls",
    tsUs: Math.trunc(atMs) * 1_000,
    values: {
      organization_id: organizationId,
      website_id: websiteId,
      event_key: eventKey,
      event_id: call.eventId || undefined,
      provider: call.provider,
      model: call.model,
      call_type: call.type || undefined,
      finish_reason: call.finishReason || undefined,
      input_tokens: usage?.inputTokens,
      output_tokens: usage?.outputTokens,
      total_tokens: usage?.totalTokens ?? wholeSum(usage?.inputTokens, usage?.outputTokens),
      cached_input_tokens: usage?.cachedInputTokens,
      cache_creation_input_tokens: usage?.cacheCreationInputTokens,
      reasoning_tokens: usage?.reasoningTokens,
      web_search_count: usage?.webSearchCount,
      input_cost_usd: cost?.inputUsd,
      output_cost_usd: cost?.outputUsd,
      total_cost_usd: cost?.totalUsd ?? sum(cost?.inputUsd, cost?.outputUsd),
      duration_ms: call.durationMs,
      http_status: call.httpStatus,
      tool_call_count: tools?.callCount ?? (toolNames.length > 0 ? toolNames.length : undefined),
      tool_result_count: tools?.resultCount,
      tool_names: toolNames.length > 0 ? JSON.stringify(toolNames) : undefined,
      // A failed call without details still counts as failed.
      error_name: error === undefined ? undefined : error.name || "Error",
      error_message: cutAddresses(error?.message, maxMessageLength),
      error_stack: cutAddresses(error?.stack, maxStackLength),
      trace_id: call.traceId || undefined,
    } satisfies EveryColumn<"llm_calls">,
  };
}

function sum(first: number | undefined, second: number | undefined): number | undefined {
  return first === undefined && second === undefined ? undefined : (first ?? 0) + (second ?? 0);
}

/** Limited to the column's INT. */
function wholeSum(first: number | undefined, second: number | undefined): number | undefined {
  const total = sum(first, second);
  return total === undefined ? undefined : Math.min(total, 0x7fff_ffff);
}

const maxMessageLength = 2_048;
const maxStackLength = 8_192;
