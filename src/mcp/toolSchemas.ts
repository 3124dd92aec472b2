import { readFileSync } from "node:fs";
import type { Tool as ListedTool } from "@modelcontextprotocol/sdk/types.js";
import type { JsonObject, ObjectSchema, Tool } from "./tools/tool.ts";

type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { operationId: string; responses: JsonObject }>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonObject>> };
};

/** Tools as clients see them. */
export function listedTools(tools: readonly Tool[]): ListedTool[] {
  let document: Document | undefined;
  // A megabyte: read for the first list only, and once for all of its tools.
  const read = (): Document => {
    document ??= JSON.parse(readFileSync(new URL("../gen/lookout/openapi.json", import.meta.url), "utf8")) as Document;
    return document;
  };
  return tools.map((tool) => listedTool(tool, read));
}

function listedTool(tool: Tool, read: () => Document): ListedTool {
  const { name, title, description, input, scopeToChange } = tool;
  return {
    name,
    title,
    description,
    inputSchema: { ...input, required: [...(input.required ?? [])], additionalProperties: false },
    outputSchema: outputSchema(tool, read),
    annotations: { readOnlyHint: scopeToChange === undefined, destructiveHint: false, openWorldHint: false },
  };
}

const note = { type: "string", description: "What was left out, and how to get it." };

type OutputSchema = NonNullable<ListedTool["outputSchema"]>;

/** Made when it is first listed. */
const byOutput = new Map<Tool["output"], OutputSchema>();

function outputSchema({ output }: Tool, read: () => Document): OutputSchema {
  const known = byOutput.get(output);
  if (known !== undefined) return known;
  const schema = "answerOf" in output ? answerSchema(output.answerOf, read()) : output;
  const withNote = { ...schema, type: "object", properties: { ...schema.properties, note } } as OutputSchema;
  byOutput.set(output, withNote);
  return withNote;
}

/** The schema of an operation's answer with all that it refers to, so that it stands for itself. */
function answerSchema(operationId: string, { paths, components }: Document): ObjectSchema {
  const operation = Object.values(paths)
    .flatMap((verbs) => Object.values(verbs))
    .find((one) => one.operationId === operationId);
  const text = JSON.stringify(operation?.responses["200"]);
  const name = /"schema":\{"\$ref":"#\/components\/schemas\/(\w+)"/.exec(text ?? "")?.[1] ?? "";
  const root = components.schemas[name];
  if (root === undefined) throw new Error(`${operationId} has no answer that a schema names`);
  const definitions: Record<string, JsonObject> = {};
  const own = resolved(root, components.schemas, definitions);
  return { ...own, $defs: definitions } as unknown as ObjectSchema;
}

/** What every count of an answer has. It tells assistants nothing, and they read all of it before they begin. */
const boundsOfUint32 = '"minimum":0,"maximum":4294967295,';

/** The same schema with references to `$defs`, to which it adds what is referred to. */
function resolved(
  schema: JsonObject,
  schemas: Readonly<Record<string, JsonObject>>,
  definitions: Record<string, JsonObject>,
): JsonObject {
  const text = JSON.stringify(schema);
  for (const [, name = ""] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    const found = schemas[name];
    if (found === undefined || definitions[name] !== undefined) continue;
    definitions[name] = {};
    definitions[name] = resolved(found, schemas, definitions);
  }
  return JSON.parse(text.replaceAll("#/components/schemas/", "#/$defs/").replaceAll(boundsOfUint32, ""));
}
