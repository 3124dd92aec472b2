import type { DescField, DescMessage, DescMethod } from "@bufbuild/protobuf";
import { getOption } from "@bufbuild/protobuf";
import { requirement } from "../../src/gen/access/v1/access_pb.ts";
import { method as methodJson } from "../../src/gen/gateway/v1/json_pb.ts";
import type { HttpRule } from "../../src/gen/google/api/http_pb.ts";
import { commentOf } from "../comments.ts";
import { errorResponses } from "./openapiErrors.ts";
import type { ErrorExample } from "./openapiExamples.ts";
import type { JsonSchema } from "./openapiRules.ts";
import { isRequired, type Schemas } from "./openapiSchemas.ts";
import type { SharedComponents } from "./sharedComponents.ts";

/** The ways to authenticate (specification part 5). */
export const securitySchemes = {
  bearer: { type: "http", scheme: "bearer", description: "An API key." },
  apiKey: { type: "apiKey", in: "header", name: "x-api-key", description: "An API key." },
  session: {
    type: "apiKey",
    in: "cookie",
    name: "lookout_session",
    description: "The cookie of a signed-in user; over TLS its name is __Host-lookout_session.",
  },
};

/** What creating calls take beside their fields. */
export const sharedParameters = {
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    description: "The same as the field idempotencyKey.",
    required: false,
    schema: { type: "string", pattern: "^[ -~]{1,257}$" },
  },
};

/** The operation of one HTTP binding of a call. `path` holds its variables as {name}. */
export function bindingOperation(
  method: DescMethod,
  rule: HttpRule,
  path: string,
  names: { operationId: string; tag: string },
  schemas: Schemas,
  { errors, examples }: { errors: readonly ErrorExample[]; examples: SharedComponents },
): JsonSchema {
  const json = getOption(method, methodJson);
  const variables = [...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1] ?? "");
  const operation: JsonSchema = {
    operationId: names.operationId,
    tags: [names.tag],
    summary: summaryOf(method),
    ...descriptionOf(method),
    security: securityOf(method),
  };
  const parameters = [
    ...variables.map((name) => parameter(fieldOf(method.input, name), name, "path", schemas)),
    ...queryFields(method, rule, variables).map((field) => parameter(field, field.jsonName, "query", schemas)),
    ...(method.input.fields.some(({ jsonName }) => jsonName === "idempotencyKey")
      ? [{ $ref: "#/components/parameters/IdempotencyKey" }]
      : []),
  ];
  if (parameters.length > 0) operation["parameters"] = parameters;
  const body = bodyOf(method, rule, variables, schemas);
  if (body !== undefined) operation["requestBody"] = body;
  const answered =
    json.redirect !== ""
      ? redirectResponse(rule.pattern.case === "post")
      : json.file
        ? fileResponses(json.fileTypes)
        : {
            "200": success("Done.", {
              "application/json": { schema: answerOf(method, rule, schemas) },
              ...(json.page === "" ? {} : { "text/html": { schema: { type: "string" } } }),
            }),
          };
  const traits = { hasPages: json.redirect !== "", takesCredentials: securityOf(method).length > 0 };
  operation["responses"] = { ...answered, ...errorResponses(json.errorShape, traits, errors, examples) };
  return operation;
}

function success(description: string, content: JsonSchema): JsonSchema {
  return { description, content };
}

const bytes = { schema: { type: "string", format: "binary", description: "The bytes of the file." } };

function fileResponses(types: readonly string[]): JsonSchema {
  const content = Object.fromEntries((types.length === 0 ? ["*/*"] : types).map((type) => [type, bytes]));
  return {
    "200": success("The file.", content),
    "206": success("The part that Range asks for (RFC 9110, section 14.2), of files that are sent in parts.", content),
  };
}

function redirectResponse(isPost: boolean): JsonSchema {
  const location = { description: "Where it leads.", required: true, schema: { type: "string" } };
  return { [isPost ? "303" : "302"]: { description: "A redirect.", headers: { location } } };
}

/** The first statement of the call's comment, as far as a list of calls has room for it. */
function summaryOf(method: DescMethod): string {
  return commentOf(method).split(/[.:;](?:\s|$)/, 1)[0] ?? "";
}

/** What the summary does not say yet, and what the call needs; nothing where the summary says all. */
function descriptionOf(method: DescMethod): { description?: string } {
  const comment = commentOf(method);
  const sentence = `${summaryOf(method)}.`;
  const further = comment.startsWith(sentence) ? comment.slice(sentence.length).trim() : comment;
  const parts = [further, needOf(method)].filter((part) => part !== "");
  return parts.length === 0 ? {} : { description: parts.join("\n\n") };
}

function needOf(method: DescMethod): string {
  const { scope, orPublicWebsite, open, session, wholeOrganization } = getOption(method, requirement);
  if (scope === "") return "";
  if (open) return `Needs no key; one that is sent must have the scope ${scope}.`;
  const whole = wholeOrganization ? " for the whole organization" : "";
  if (session) return `Needs a session with the scope ${scope}${whole}.`;
  return `Needs the scope ${scope}${whole}${orPublicWebsite ? ", unless the website is public" : ""}.`;
}

function securityOf(method: DescMethod): readonly JsonSchema[] {
  const { scope, orPublicWebsite, open, session } = getOption(method, requirement);
  if (open && scope === "") return [];
  // The scope, which OpenAPI 3.1 calls a role (section 4.8.30).
  const scopes = scope === "" ? [] : [scope];
  if (session) return [{ session: scopes }];
  // Cookies are ignored where a key is optional.
  const ways = Object.keys(securitySchemes).flatMap((name) => (open && name === "session" ? [] : [{ [name]: scopes }]));
  return orPublicWebsite || open ? [...ways, {}] : ways;
}

function queryFields(method: DescMethod, rule: HttpRule, variables: readonly string[]): readonly DescField[] {
  if (rule.body === "*") return [];
  const elsewhere = [...variables, rule.body, getOption(method, methodJson).arrayBody];
  return method.input.fields.filter(
    (field) => !elsewhere.includes(field.name) && field.message === undefined && field.fieldKind !== "map",
  );
}

function parameter(field: DescField, name: string, place: "path" | "query", schemas: Schemas): JsonSchema {
  const { description, ...schema } = schemas.field(field, "request");
  const required = place === "path" || isRequired(field, "request");
  // OpenAPI 3.1, section 4.8.12.2.1: a parameter without `required` is optional.
  return {
    name,
    in: place,
    ...(required ? { required } : {}),
    ...(description === undefined ? {} : { description }),
    schema,
  };
}

function bodyOf(
  method: DescMethod,
  rule: HttpRule,
  variables: readonly string[],
  schemas: Schemas,
): JsonSchema | undefined {
  if (rule.body === "") return undefined;
  const json = getOption(method, methodJson);
  if (rule.body === "*") {
    const fields = method.input.fields.filter((field) => !variables.includes(field.name));
    const schema =
      variables.length === 0
        ? schemas.reference(method.input, "request")
        : schemas.message(method.input, "request", variables);
    return requestBody(
      schema,
      fields.some((field) => isRequired(field, "request")),
      json.redirect !== "",
    );
  }
  const field = fieldOf(method.input, rule.body);
  const { description, ...schema } = schemas.field(field, "request");
  if (json.arrayBody !== "") {
    const { description: _, ...array } = schemas.field(fieldOf(method.input, json.arrayBody), "request");
    return requestBody({ oneOf: [schema, array] }, true);
  }
  if (json.singleItem && field.message !== undefined)
    return requestBody({ oneOf: [schema, schemas.reference(field.message, "request")] }, true);
  return requestBody(schema, field.fieldKind === "list" || isRequired(field, "request"));
}

function requestBody(schema: JsonSchema, required: boolean, isForm = false): JsonSchema {
  const form = isForm ? { "application/x-www-form-urlencoded": { schema } } : {};
  return { required, content: { "application/json": { schema }, ...form } };
}

function answerOf(method: DescMethod, rule: HttpRule, schemas: Schemas): JsonSchema {
  const json = getOption(method, methodJson);
  const schemaOf = (name: string): JsonSchema => {
    const { description: _, ...schema } = schemas.field(fieldOf(method.output, name), "response");
    return schema;
  };
  const answer = rule.responseBody === "" ? schemas.reference(method.output, "response") : schemaOf(rule.responseBody);
  return json.arrayResponse === "" ? answer : { oneOf: [answer, schemaOf(json.arrayResponse)] };
}

function fieldOf(message: DescMessage, name: string): DescField {
  const field = message.fields.find((candidate) => candidate.name === name);
  if (field === undefined) throw new Error(`${message} has no field ${name}, which google.api.http names`);
  return field;
}
