import type { DescMessage } from "@bufbuild/protobuf";
import { ErrorShape } from "../../src/gen/gateway/v1/json_pb.ts";
import { headerReferences } from "./openapiHeaders.ts";
import type { JsonSchema } from "./openapiRules.ts";
import type { Schemas } from "./openapiSchemas.ts";

const names: Readonly<Record<ErrorShape, string>> = {
  [ErrorShape.UNSPECIFIED]: "Error",
  [ErrorShape.BATCH]: "BatchError",
  [ErrorShape.PLAIN]: "PlainError",
};

/** The schemas of error bodies, one per shape, derived from the message of the common one. */
export function errorSchemas(message: DescMessage, schemas: Schemas): Record<string, JsonSchema> {
  const common = Object.fromEntries(message.fields.map((field) => [field.jsonName, schemas.field(field, "response")]));
  const success = { type: "boolean", const: false, description: "Always false." };
  const object = (required: readonly string[], properties: JsonSchema, description: string): JsonSchema => ({
    type: "object",
    description,
    required,
    properties,
  });
  const { success: _, ...ownMembers } = common;
  const others = { ...ownMembers, ...rateLimitMembers };
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

/** Further members of RATE_LIMIT_EXCEEDED (specification part 7, rule 4). */
const rateLimitMembers = {
  limit: { type: "integer", description: "With RATE_LIMIT_EXCEEDED: how many are allowed." },
  remaining: { type: "integer", description: "With RATE_LIMIT_EXCEEDED: how many are left, so 0." },
  reset: { type: "string", description: "With RATE_LIMIT_EXCEEDED: when to call again, ISO 8601." },
  retryAfter: { type: "integer", description: "With RATE_LIMIT_EXCEEDED: when to call again, seconds from now." },
};

/** The answers of a call for every status but those of its success. Browsers get them as pages if `hasPages`. */
export function errorResponses(shape: ErrorShape, hasPages: boolean): JsonSchema {
  const content = {
    "application/json": { schema: { $ref: `#/components/schemas/${names[shape]}` } },
    ...(hasPages ? { "text/html": { schema: { type: "string" } } } : {}),
  };
  return {
    "401": {
      description: "Credentials are missing or wrong.",
      headers: headerReferences("X-Request-Id", "WWW-Authenticate"),
      content,
    },
    "429": {
      description: "Too many calls.",
      headers: headerReferences("X-Request-Id", "Retry-After"),
      content,
    },
    default: {
      description: "What went wrong; the status follows from the code.",
      headers: headerReferences("X-Request-Id"),
      content,
    },
  };
}
