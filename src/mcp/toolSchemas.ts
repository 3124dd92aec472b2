import type { Tool as ListedTool } from "@modelcontextprotocol/sdk/types.js";
import type { JsonObject, Tool } from "./tools/tool.ts";

/** Characters of an answer that asks for no more: a page of text, which an assistant reads whole. */
export const usualCharacters = 4_000;

/** What every tool takes beside its own arguments. */
const commonInput = {
  maxCharacters: { type: "integer", minimum: 1_000, description: `Length of the answer. Default: ${usualCharacters}.` },
};

/** A tool with the arguments that all tools take. */
export function withCommonInput(tool: Tool): Tool {
  return { ...tool, input: { ...tool.input, properties: { ...tool.input.properties, ...commonInput } } };
}

const note = { type: "string", description: "What was left out, and how to get it." };

/** A tool as clients see it, with the most characters of an answer. A larger number is taken as this one. */
export function listedTool(tool: Tool, mostCharacters: number): ListedTool {
  const { name, title, description, output, scopeToChange } = tool;
  const maxCharacters = { ...commonInput.maxCharacters, maximum: mostCharacters };
  const input = { ...tool.input, properties: { ...tool.input.properties, maxCharacters } };
  return {
    name,
    title,
    description,
    inputSchema: schemaOf({ ...input, required: input.required ?? [], additionalProperties: false }),
    outputSchema: schemaOf({ ...output, properties: { ...output.properties, note } }),
    annotations: { readOnlyHint: scopeToChange === undefined, destructiveHint: false, openWorldHint: false },
  };
}

/** The SDK's type of a schema has no readonly lists. */
function schemaOf(schema: JsonObject): ListedTool["inputSchema"] {
  return schema as ListedTool["inputSchema"];
}
