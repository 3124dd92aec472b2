import type { DescMessage } from "@bufbuild/protobuf";
import { ErrorShape } from "../../src/gen/gateway/v1/json_pb.ts";
import type { ErrorExample } from "./openapiExamples.ts";
import type { JsonSchema } from "./openapiRules.ts";
import type { Schemas } from "./openapiSchemas.ts";
import type { SharedComponents } from "./sharedComponents.ts";

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

/** What a status means, whatever the call. */
const meanings: Readonly<Record<string, string>> = {
  "400": "Not valid; the details name each field.",
  "401": "Credentials are missing or wrong.",
  "403": "The credentials do not allow it.",
  "404": "Missing, or beyond the credentials.",
  "409": "It does not go with the present state.",
  "410": "It was there and has expired.",
  "429": "Too many calls.",
};

/** See openapiHeaders.ts. */
const otherHeaders: Readonly<Record<string, JsonSchema>> = {
  "401": { "WWW-Authenticate": { $ref: "#/components/headers/WWW-Authenticate" } },
  "429": { "Retry-After": { $ref: "#/components/headers/Retry-After" } },
};

/**
 * The answers of a call for every status but those of its success: those that its examples have, 401 if it takes
 * credentials, and 429. Browsers get them as pages if `hasPages`.
 */
export function errorResponses(
  shape: ErrorShape,
  { hasPages, takesCredentials }: { hasPages: boolean; takesCredentials: boolean },
  errors: readonly ErrorExample[],
  examples: SharedComponents,
): JsonSchema {
  const exampleOf = ({ body }: ErrorExample) => [body.code, examples.reference(body.code, { value: body })];
  const answer = (description: string, status: string, known: readonly ErrorExample[]) => ({
    description,
    ...(otherHeaders[status] === undefined ? {} : { headers: otherHeaders[status] }),
    content: {
      "application/json": {
        schema: { $ref: `#/components/schemas/${names[shape]}` },
        ...(known.length > 0 ? { examples: Object.fromEntries(known.map(exampleOf)) } : {}),
      },
      ...(hasPages ? { "text/html": { schema: { type: "string" } } } : {}),
    },
  });
  const always = takesCredentials ? ["401", "429"] : ["429"];
  const statuses = [...new Set([...always, ...errors.map(({ status }) => String(status))])].sort();
  return {
    ...Object.fromEntries(
      statuses.map((status) => {
        const known = errors.filter((error) => String(error.status) === status);
        return [status, answer(meanings[status] ?? "What went wrong.", status, known)];
      }),
    ),
    default: answer(
      "What else went wrong, such as SERVICE_UNAVAILABLE (503): the code says what, and the status follows from it.",
      "",
      [],
    ),
  };
}
