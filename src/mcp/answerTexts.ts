import type { JsonObject } from "./tools/tool.ts";

/** The tools that do what a call of the API does, which an assistant cannot make. */
const toolOfCall: Readonly<Record<string, string>> = {
  "GET /v1/query/websites": "the tool list_websites",
  "POST /websites/list": "the tool list_websites",
  "GET /v1/query/types": "the tool describe_query_types",
  "POST /v1/query": "the tool query",
  "POST /v1/query/funnel": "the tool funnel",
  "POST /v1/query/goals": "the tool goals",
  "POST /uptime/monitors/list": "the tool uptime_status",
  "POST /links/list": "the tool list_links",
};

const call = /\b(?:GET|POST|PUT|DELETE) \/[\w/{}-]*/g;

/** A text for people who call the API, for an assistant: calls become tools, and a sentence about any other is left out. */
export function withoutCalls(text: string): string {
  if (text.search(call) < 0) return text;
  const withTools = text
    .replace(call, (found) => toolOfCall[found] ?? found)
    .replace(/([.?!] )the tool /g, "$1The tool ");
  return withTools
    .split(/(?<=[.;?!]) /)
    .filter((sentence) => sentence.search(call) < 0)
    .join(" ")
    .replace(/;$/, "");
}

/** The same for the texts of an answer that the service wrote. What visitors sent stays as it is. */
export function answerWithoutCalls(answer: JsonObject): JsonObject {
  const own = ["hints", "types"].filter((name) => answer[name] !== undefined);
  return { ...answer, ...Object.fromEntries(own.map((name) => [name, everyText(answer[name], withoutCalls)])) };
}

/** A copy of JSON with all of its texts changed. */
export function everyText(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((item) => everyText(item, change));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, everyText(member, change)]));
}
