import type { DescMessage } from "@bufbuild/protobuf";
import { ErrorShape } from "../src/gen/gateway/v1/json_pb.ts";
import type { JsonSchema } from "./openapiRules.ts";
import type { Schemas } from "./openapiSchemas.ts";

const names: Readonly<Record<ErrorShape, string>> = {
  [ErrorShape.UNSPECIFIED]: "Error",
  [ErrorShape.BATCH]: "BatchError",
  [ErrorShape.PLAIN]: "PlainError",
};

/** The schemas of error bodies, one a shape, made from the message of the common one. */
export function errorSchemas(message: DescMessage, schemas: Schemas): Record<string, JsonSchema> {
  const common = Object.fromEntries(message.fields.map((field) => [field.jsonName, schemas.field(field, "response")]));
  const success = { type: "boolean", const: false, description: "Always false." };
  const object = (required: readonly string[], properties: JsonSchema, description: string): JsonSchema => ({
    type: "object",
    description,
    required,
    properties,
  });
  const { success: _, ...others } = common;
  const status = { type: "string", const: "error", description: "Always error." };
  const text = { type: "string", description: "A sentence for a person." };
  return {
    Error: object(["success", "error", "code", "requestId"], { success, ...others }, "What went wrong."),
    BatchError: object(
      ["status", "message", "success", "error", "code", "requestId"],
      { status, message: text, success, ...others },
      "Why no event was taken.",
    ),
    PlainError: object(["error", "code", "requestId"], others, "What went wrong."),
  };
}

/** The answer of a call for every status but those it names. */
export function errorResponse(shape: ErrorShape): JsonSchema {
  return {
    description: "What went wrong; the status goes with the code.",
    content: { "application/json": { schema: { $ref: `#/components/schemas/${names[shape]}` } } },
  };
}
