import { readFileSync } from "node:fs";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from "@modelcontextprotocol/sdk/types.js";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
import { ApiError } from "../errors/errors.ts";
import { toApiError } from "../gateway/errorAnswer.ts";
import type { Procedure } from "../gateway/procedure.ts";
import { nearest } from "../text/nearest.ts";
import { answerWithoutCalls } from "./answerTexts.ts";
import { boundAnswer } from "./boundAnswer.ts";
import type { McpAnswer, McpCall } from "./mcpCall.ts";
import { readArguments } from "./readArguments.ts";
import { callRpc } from "./rpcs.ts";
import { toolFailure } from "./toolFailure.ts";
import { listedTool, usualCharacters, withCommonInput } from "./toolSchemas.ts";
import type { CallRpc, JsonObject, Tool } from "./tools/tool.ts";
import { tools as ownTools } from "./tools/tools.ts";

const { version }: { version: string } = JSON.parse(
  readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
);

const tools = ownTools.map(withCommonInput);

/** Kept, since making one takes longer than most answers. */
const jsonSchemaValidator = new AjvJsonSchemaValidator();

const instructions = `Web analytics, uptime monitoring and short links. Begin with list_websites, whose ids the other tools take. Before
query, look the query types and their columns up with describe_query_types. Dates are days (2026-01-31) or a preset such as last_7d.`;

/** Answers one message of a caller who has been authenticated. */
export async function answerMcp(
  message: unknown,
  call: McpCall,
  procedures: ReadonlyMap<string, Procedure>,
): Promise<McpAnswer> {
  const server = new Server(
    { name: "lookout", title: "Lookout", version },
    { capabilities: { tools: {} }, instructions, jsonSchemaValidator },
  );
  const offered = tools.filter((tool) => isOffered(tool, call));
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: offered.map((tool) => listedTool(tool, call.app.config.mcp.maxAnswerCharacters)),
  }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) =>
    callTool(params.name, params.arguments ?? {}, offered, call, (rpc, request) =>
      callRpc(rpc, request, call, procedures),
    ),
  );
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    const answer = await transport.handleRequest(requestOf(call), { parsedBody: message });
    return { status: answer.status, headers: Object.fromEntries(answer.headers), text: await answer.text() };
  } finally {
    await server.close();
  }
}

/** A tool that changes something is offered where the operator allows it and the key has its scope. */
function isOffered({ scopeToChange }: Tool, { app, caller }: McpCall): boolean {
  return scopeToChange === undefined || (app.config.mcp.allowsChanges && (caller?.scopes.has(scopeToChange) ?? false));
}

async function callTool(
  name: string,
  given: Readonly<Record<string, unknown>>,
  offered: readonly Tool[],
  call: McpCall,
  ask: CallRpc,
): Promise<CallToolResult> {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw unknownTool(name, offered);
  const fail = (thrown: unknown, fieldNames?: Tool["fieldNames"]) =>
    toolFailure(toApiError(thrown, call.app, `mcp.${name}`, call.requestId), tool, call.requestId, fieldNames);
  if (!offered.includes(tool)) return fail(notOffered(tool, call));
  let read: JsonObject;
  try {
    read = readArguments(tool, given);
  } catch (thrown) {
    return fail(thrown);
  }
  const { maxCharacters = usualCharacters, ...own } = read;
  const most = Math.min(Number(maxCharacters), call.app.config.mcp.maxAnswerCharacters);
  try {
    const answer = await tool.run(own, ask);
    const bounded = boundAnswer(answerWithoutCalls(answer), most, tool.howToGetMore);
    const content: CallToolResult["content"] = [{ type: "text", text: JSON.stringify(bounded) }];
    return { content, structuredContent: bounded, ...(tool.hasFailed?.(answer) ? { isError: true } : {}) };
  } catch (thrown) {
    return fail(thrown, tool.fieldNames);
  }
}

/** Part of a result, since assistants do not see errors of the protocol: they can then say why to whoever asked. */
function notOffered({ name, scopeToChange }: Tool, { app }: McpCall): ApiError {
  const reason = app.config.mcp.allowsChanges
    ? `This API key lacks the scope ${scopeToChange}. Use a key that has it`
    : "It changes something, which the operator has not allowed (MCP_CHANGES). Say so; no other tool does it";
  return new ApiError("FORBIDDEN", `The tool ${name} is off. ${reason}`);
}

/** The transport reads these headers only. */
function requestOf(call: McpCall): Request {
  const names = ["accept", "content-type", "mcp-protocol-version"];
  const headers = names.flatMap((name): [string, string][] => {
    const value = call.header(name);
    return value === undefined ? [] : [[name, value]];
  });
  return new Request("http://localhost/mcp", { method: "POST", headers });
}

function unknownTool(name: string, offered: readonly Tool[]): McpError {
  const names = offered.map((tool) => tool.name);
  const near = nearest(name, names);
  const hint = near === undefined ? `There are: ${names.join(", ")}` : `Did you mean ${near}?`;
  return new McpError(ErrorCode.InvalidParams, `There is no tool ${name.slice(0, 100)}. ${hint}`);
}
