import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { Example } from "./exampleFile.ts";
import { document, operations } from "./operations.ts";

type Json = Record<string, unknown>;

/** What of an example differs from the OpenAPI document, one line each. Members that the document does not name are among it. */
export function problemsOf(id: string, { request, response, errors }: Example): readonly string[] {
  const { paths } = document as unknown as { paths: Record<string, Record<string, Json>> };
  const { path = "", verb = "" } = operations.get(id) ?? {};
  const operation = paths[path]?.[verb.toLowerCase()];
  if (operation === undefined) return [`${id}: there is no such operation`];
  const requestSchema = at(operation, "requestBody", "content", "application/json", "schema");
  const answerSchema = at(operation, "responses", String(response.status), "content", "application/json", "schema");
  const errorSchema = at(operation, "responses", "default", "content", "application/json", "schema");
  return [
    ...(request.body === undefined ? [] : check(requestSchema, request.body, "request")),
    ...(response.contentType === "application/json" ? check(closed(answerSchema), response.body, "answer") : []),
    ...errors.flatMap(({ status, body }) => check(errorSchema, body, `error ${status}`)),
  ].map((problem) => `${id}: ${problem}`);
}

const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
ajv.addSchema({ $id: "open", components: document.components });
ajv.addSchema({ $id: "closed", components: closed(document.components) as Json });

const compiled = new Map<string, ValidateFunction>();

function check(schema: unknown, value: unknown, what: string): readonly string[] {
  if (schema === undefined) return [`the document has no ${what}`];
  const base = what === "answer" ? "closed" : "open";
  const text = JSON.stringify(schema).replaceAll('"$ref":"#', `"$ref":"${base}#`);
  const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text));
  compiled.set(text, validate);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${what}${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

/** The same schema, which refuses members that it does not name. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== "object" || schema === null) return schema;
  const members = Object.entries(schema).map(([name, value]): [string, unknown] => [name, closed(value)]);
  const isObject = "properties" in schema && !("additionalProperties" in schema);
  return { ...Object.fromEntries(members), ...(isObject ? { additionalProperties: false } : {}) };
}

function at(value: unknown, ...names: readonly string[]): unknown {
  let found = value;
  for (const name of names) found = typeof found === "object" && found !== null ? Reflect.get(found, name) : undefined;
  return found;
}
