import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import type { ApiError } from "../errors/errors.ts";
import { withoutCalls } from "./answerTexts.ts";
import type { Tool } from "./tools/tool.ts";

/**
 * What an assistant reads of an error, so that it can try again: the code, each wrong argument with the closest valid
 * value, and what to do next. Part of the result and no error of the protocol, which assistants do not see
 * (specification, Tools, Error Handling). `fieldNames` are the tool's names for fields of the call that failed.
 */
export function toolFailure(
  error: ApiError,
  { hints, argumentHint }: Pick<Tool, "hints" | "argumentHint">,
  requestId: string,
  fieldNames: Readonly<Record<string, string>> = {},
): CallToolResult {
  const { code, message, details, members } = error;
  const named = (text: string) => renamed(text, fieldNames);
  const lines = [
    `${code}: ${isRepeated(error) ? wrongArguments(details.length) : withoutCalls(named(message))}`,
    ...details.map(({ field, message: problem, suggestion }) => {
      // Many messages end with the suggestion themselves.
      const hint = suggestion === undefined || /did you mean/i.test(problem) ? "" : `. Did you mean ${suggestion}?`;
      return `- ${named(field)} ${withoutCalls(problem)}${hint}`;
    }),
    ...(members["retryAfter"] === undefined ? [] : [`Try again in ${members["retryAfter"]} seconds.`]),
    ...(hints?.[code] === undefined ? [] : [`Next: ${hints[code]}`]),
    ...(argumentHint !== undefined && details.some(({ field }) => isOf(named(field), argumentHint.names))
      ? [`Next: ${argumentHint.text}`]
      : []),
    `requestId: ${requestId}`,
  ];
  return { isError: true, content: [{ type: "text", text: lines.join("\n") }] };
}

/** Whether the message says again what the first detail says, as src/errors/errors.ts writes it. */
function isRepeated({ message, details: [first] }: ApiError): boolean {
  return first !== undefined && message.startsWith(`${first.field} ${first.message}`);
}

function wrongArguments(count: number): string {
  return count === 1 ? "one argument is wrong" : `${count} arguments are wrong`;
}

/** Whether a path such as filters[0].field begins with any of the names. */
function isOf(path: string, names: readonly string[]): boolean {
  return names.some((name) => path === name || path.startsWith(`${name}[`) || path.startsWith(`${name}.`));
}

/** A field at the beginning of a text by the tool's name for it. */
function renamed(text: string, fieldNames: Readonly<Record<string, string>>): string {
  const [, prefix = "", field = ""] = /^((?:query|funnel)\.)?(\w+)/.exec(text) ?? [];
  const name = Object.hasOwn(fieldNames, field) ? fieldNames[field] : prefix === "" ? undefined : field;
  return name === undefined ? text : name + text.slice(prefix.length + field.length);
}
