import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, test } from "vitest";
import { rowTypes } from "../../codegen/client/rowTypes.ts";
import { readOpenapi, openapiText as text } from "../kit/openapi/openapiDocument.ts";

type Response = { headers: object; content: Record<string, { schema: object }> };
type Operation = {
  operationId: string;
  security: object[];
  parameters?: object[];
  requestBody?: unknown;
  responses: Record<string, Response>;
};
type Document = {
  info: { description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Record<string, unknown>>; responses: Record<string, Response> };
};

const document = readOpenapi<Document>();

test("the document is valid OpenAPI 3.1", async () => {
  const validator = new Validator();
  const result = await validator.validate(JSON.parse(text));
  expect(result.errors).toBeUndefined();
  expect(result.valid).toBe(true);
  expect(validator.version).toBe("3.1");
});

test.each(["schemas", "responses"] as const)("every reference leads to one of the %s", (kind) => {
  const found = [...text.matchAll(/"#\/components\/(\w+)\/([^"]+)"/g)].filter((match) => match[1] === kind);
  expect(found.length).toBeGreaterThan(50);
  const names = new Set(found.map(([, , name = ""]) => name));
  expect([...names].filter((name) => !(name in document.components[kind]))).toEqual([]);
});

test("the document has a line for each path and schema", () => {
  expect(text).toMatch(/^"\/v1\/query": \{.*\},$/m);
});

test("operation ids are unique", () => {
  const ids = Object.values(document.paths).flatMap((path) =>
    Object.values(path).map((operation) => operation.operationId),
  );
  expect(new Set(ids).size).toBe(ids.length);
});

test("operation ids are words, from which generators make names such as createMonitor and create_monitor", () => {
  const ids = Object.values(document.paths).flatMap((path) =>
    Object.values(path).map(({ operationId }) => operationId),
  );
  expect(ids.filter((id) => !/^[a-z]+([A-Z][a-z]*)*$/.test(id) || id.includes("Service"))).toEqual([]);
  expect(ids).toEqual(expect.arrayContaining(["batch", "query", "createMonitor", "getLinkQr"]));
});

test("tags are in the order in which people need them, each with its description", () => {
  const names = document.tags.map(({ name }) => name);
  expect(names.filter((name) => ["Ingest", "Query", "Uptime", "Link", "ApiKey"].includes(name))).toEqual([
    ...["Ingest", "Query", "Uptime", "Link", "ApiKey"],
  ]);
  expect(names[0]).toBe("Ingest");
  expect(names.at(-1)).toBe("Audit");
  expect(document.tags.filter(({ description }) => description === "")).toEqual([]);
});

test("a QR code is a drawing or a picture, as its format says", () => {
  const answer = document.paths["/l/{slug}/qr"]?.["get"]?.responses["200"];
  expect(Object.keys(answer?.content ?? {})).toEqual(["image/svg+xml", "image/png"]);
});

test("the document has at most 600 kB", () => {
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(600_000);
});

test("4.20: a batch takes an array of at most 100 events, tagged or flat, and answers errors in its own shape", () => {
  const batch = document.paths["/batch"]?.["post"];
  expect(batch?.requestBody).toMatchObject({
    required: true,
    content: {
      "application/json": { schema: { type: "array", maxItems: 100, items: { $ref: "#/components/schemas/Event" } } },
    },
  });
  expect(document.components.schemas["Event"]).toMatchObject({
    oneOf: [
      { required: ["type", "payload"], properties: { type: { const: "track" } } },
      { properties: { type: { const: "outgoing_link" } } },
      { $ref: "#/components/schemas/FlatEvent", properties: { payload: { type: "null" } } },
    ],
  });
  expect(batch?.responses["default"]?.content["application/json"]?.schema).toEqual({
    $ref: "#/components/schemas/BatchError",
  });
  expect(batch?.parameters).toMatchObject([
    { name: "website_id", in: "query" },
    { name: "client_id", in: "query" },
  ]);
});

test("4.1: a query is an object or an array, a parameter a name or an object, an operator op or operator", () => {
  const query = document.paths["/v1/query"]?.["post"];
  expect(query?.requestBody).toMatchObject({
    content: {
      "application/json": {
        schema: { oneOf: [{ $ref: "#/components/schemas/Query" }, { type: "array", maxItems: 50 }] },
      },
    },
  });
  expect(query?.responses["200"]?.content["application/json"]?.schema).toEqual({
    oneOf: [{ $ref: "#/components/schemas/QueryAnswer" }, { $ref: "#/components/schemas/QueryBatchAnswer" }],
  });
  const { schemas } = document.components;
  expect(schemas["QueryParameter"]).toMatchObject({
    oneOf: [
      { type: "string", minLength: 1 },
      { type: "object", required: ["name"] },
    ],
  });
  expect(schemas["QueryFilter"]).toMatchObject({
    required: ["field"],
    properties: { op: { enum: expect.arrayContaining(["eq"]) } },
    anyOf: [{ required: ["op"] }, { required: ["operator"] }],
  });
  expect(schemas["Query"]).toMatchObject({
    required: ["parameters"],
    properties: { limit: { minimum: 1, maximum: 10000 } },
  });
  expect(schemas["ParameterResult"]).toMatchObject({
    required: ["parameter", "success", "data", "error"],
    properties: { error: { type: ["string", "null"] } },
  });
});

test("4.1: the rows of an answer have the named schema of their query type", () => {
  const { schemas } = document.components;
  expect(schemas["ParameterResult"]).toMatchObject({
    properties: { data: { type: "array", items: { $ref: "#/components/schemas/Row" } } },
  });
  const named = rowTypes().map(({ name }) => ({ $ref: `#/components/schemas/${name}` }));
  expect(schemas["Row"]?.["anyOf"]).toEqual(named);
  expect(schemas["RecentErrorsRow"]).toMatchObject({
    type: "object",
    required: expect.arrayContaining(["message", "lineno", "timestamp"]),
    properties: {
      message: { type: "string" },
      lineno: { type: ["number", "null"] },
      timestamp: { $ref: "#/components/schemas/TimeField" },
    },
  });
  // The columns of a structured query are the caller's.
  expect(schemas["CustomQueryResponse"]).toMatchObject({
    properties: { data: { items: { additionalProperties: true } } },
  });
});

test("4.17: a deletion takes its website from the path and the rest from the body", () => {
  const deletion = document.paths["/v1/websites/{website_id}/data"]?.["delete"];
  expect(deletion?.parameters).toMatchObject([
    { name: "website_id", in: "path", required: true },
    { $ref: "#/components/parameters/IdempotencyKey" },
  ]);
  expect(deletion?.requestBody).toMatchObject({
    content: { "application/json": { schema: { required: ["start_date", "end_date", "data_types"] } } },
  });
  expect(JSON.stringify(deletion?.requestBody)).not.toContain("website_id");
});

test("part 5: credentials are a bearer key, x-api-key or a cookie; public calls need none", () => {
  expect(document.paths["/v1/query/websites"]?.["get"]?.security).toContainEqual({ bearer: ["read:data"] });
  expect(document.paths["/batch"]?.["post"]?.security).toEqual([]);
});

test("part 7: the document says that each answer has the request's id; a 401 has a challenge, a 429 the wait; browsers get pages on short links", () => {
  expect(document.info.description).toContain("X-Request-Id");
  for (const operations of Object.values(document.paths))
    for (const { responses } of Object.values(operations)) {
      if (responses["401"] !== undefined) expect(responses["401"].headers).toHaveProperty("WWW-Authenticate");
      expect(responses["429"]?.headers).toHaveProperty("Retry-After");
    }
  const pages = Object.entries(document.paths).filter(([, operations]) =>
    Object.values(operations).some(({ responses }) => "text/html" in (responses["default"]?.content ?? {})),
  );
  expect(pages.map(([path]) => path)).toEqual(["/l/{slug}"]);
});

test("part 7 rule 4: each shape of error has the members of RATE_LIMIT_EXCEEDED", () => {
  for (const name of ["Error", "BatchError", "PlainError"])
    expect(document.components.schemas[name]).toMatchObject({
      properties: { limit: {}, remaining: {}, reset: {}, retryAfter: {} },
    });
});
