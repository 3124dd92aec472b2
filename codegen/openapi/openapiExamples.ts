import type { JsonSchema } from "./openapiRules.ts";

/** What one call of an operation sent and was answered (test/gateway/examples), by operation id. */
export type Examples = Readonly<Record<string, Example>>;

type Example = {
  readonly request: {
    readonly path?: Readonly<Record<string, string>>;
    readonly query?: Readonly<Record<string, string>>;
    readonly body?: unknown;
  };
  readonly response: {
    readonly status: number;
    readonly contentType?: string;
    readonly location?: string;
    readonly body?: unknown;
  };
  readonly errors: readonly ErrorExample[];
};

export type ErrorExample = {
  readonly status: number;
  readonly body: { readonly code: string; readonly error: string };
};

/** Adds what the call was sent and answered to an operation. An operation that was not called stays as it is. */
export function addExamples(operation: JsonSchema, example: Example | undefined): JsonSchema {
  if (example === undefined) return operation;
  const { request, response } = example;
  const parameters = list(operation["parameters"]).map((parameter) => {
    const given = parameter["in"] === "path" ? request.path : request.query;
    const value = given?.[String(parameter["name"])];
    return value === undefined ? parameter : { ...parameter, example: typed(value, parameter["schema"]) };
  });
  return {
    ...operation,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(request.body === undefined ? {} : { requestBody: withBody(operation["requestBody"], request.body) }),
    responses: withAnswer(operation["responses"], response),
  };
}

/** A parameter's text as its schema types it. */
function typed(value: string, schema: unknown): unknown {
  const type = typeof schema === "object" && schema !== null ? Reflect.get(schema, "type") : undefined;
  if (type === "integer" || type === "number") return Number(value);
  return type === "boolean" ? value === "true" : value;
}

function withBody(requestBody: unknown, example: unknown): JsonSchema {
  const body = object(requestBody);
  const content = Object.fromEntries(
    Object.entries(object(body["content"])).map(([type, media]) => [type, { ...object(media), example }]),
  );
  return { ...body, content };
}

function withAnswer(responses: unknown, { status, contentType, location, body }: Example["response"]): JsonSchema {
  const all = object(responses);
  const answer = object(all[String(status)]);
  const headers = object(answer["headers"]);
  const content = object(answer["content"]);
  const media = content[contentType ?? ""] ?? Object.values(content)[0];
  return {
    ...all,
    [status]: {
      ...answer,
      ...(location === undefined
        ? {}
        : { headers: { ...headers, location: { ...object(headers["location"]), example: location } } }),
      ...(contentType === undefined || media === undefined
        ? {}
        : {
            content: {
              ...described(content),
              [contentType]: { ...object(media), ...(body === undefined ? {} : { example: body }) },
            },
          }),
    },
  };
}

/** The media types that the contract names: a call was answered with one of them. */
function described({ "*/*": _, ...content }: JsonSchema): JsonSchema {
  return content;
}

function list(value: unknown): readonly JsonSchema[] {
  return Array.isArray(value) ? value : [];
}

function object(value: unknown): JsonSchema {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
