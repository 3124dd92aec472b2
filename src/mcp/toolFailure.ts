import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { toApiError } from "../gateway/errorAnswer.ts";
import type { McpCall } from "./mcpCall.ts";
import type { Tool } from "./tools/tool.ts";

/**
 * What an assistant reads of an error, so that it can try again: the code, each wrong argument with the closest valid
 * value, and what to do next. Part of the result and no error of the protocol, which assistants do not see
 * (specification, Tools, Error Handling).
 */
export function toolFailure(thrown: unknown, { name, hints }: Tool, call: McpCall): CallToolResult {
  const error = toApiError(thrown, call.app, `mcp.${name}`, call.requestId);
  const { code, message, details, members } = error;
  const lines = [
    `${code}: ${asArgument(message)}`,
    ...details.map(({ field, message: problem, suggestion }) => {
      // Many messages end with the suggestion themselves.
      const hint = suggestion === undefined || /did you mean/i.test(problem) ? "" : `. Did you mean ${suggestion}?`;
      return `- ${asArgument(field)} ${problem}${hint}`;
    }),
    ...(members["retryAfter"] === undefined ? [] : [`Try again in ${members["retryAfter"]} seconds.`]),
    ...(hints?.[code] === undefined ? [] : [`Next: ${hints[code]}`]),
    `requestId: ${call.requestId}`,
  ];
  return { isError: true, content: [{ type: "text", text: lines.join("\n") }] };
}

/** The tool query calls the parameters of the API types. */
function asArgument(text: string): string {
  return text.replace(/^(?:query\.)?parameters\b/, "types");
}
