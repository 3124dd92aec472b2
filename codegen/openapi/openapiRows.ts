import {
  capitalised,
  type FieldKind,
  noteWithGoal,
  type RowField,
  type RowType,
  rowTypes,
} from "../client/rowTypes.ts";
import type { JsonSchema } from "./openapiRules.ts";

/** The schema of each query type's rows by its name, and `Row`, which is any of them. */
export function rowSchemas(): Record<string, JsonSchema> {
  const types = rowTypes();
  const shared: Record<string, JsonSchema> = {};
  const schemas = Object.fromEntries(types.map((type) => [type.name, rowSchema(type, shared)]));
  const anyOf = types.map(({ name }) => ({ $ref: `#/components/schemas/${name}` }));
  const description = "A row of one query type: of top_pages a TopPagesRow.";
  return { Row: { description, anyOf }, ...schemas, ...shared };
}

function rowSchema({ description, fields }: RowType, shared: Record<string, JsonSchema>): JsonSchema {
  return {
    type: "object",
    description,
    properties: Object.fromEntries(fields.map((field) => [field.name, columnSchema(field, shared)])),
    required: fields.flatMap(({ name, isOfGoal }) => (isOfGoal ? [] : [name])),
  };
}

const schemaOfKind = {
  text: { type: "string" },
  time: { type: "string", format: "date-time" },
  count: { type: "integer", format: "int64" },
  number: { type: "number" },
  boolean: { type: "boolean" },
  object: { type: "object", additionalProperties: true },
  array: { type: "array", items: {} },
  nothing: { type: "null" },
} as const satisfies Record<FieldKind, JsonSchema>;

/** What most types count. */
const usual: ReadonlySet<string> = new Set(["visitors", "sessions", "pageviews", "percentage"]);

/** The columns of goals and usual counts are the same in many types, so each is kept once, as a schema of its own. */
function columnSchema(field: RowField, shared: Record<string, JsonSchema>): JsonSchema {
  const schema = fieldSchema(field);
  if (!field.isOfGoal && !field.isBucket && !usual.has(field.name)) return schema;
  const words = capitalised(field.name);
  const name = field.isOfGoal ? `Goal${words}` : `${words}Value`;
  shared[name] ??= schema;
  // A few types mean something else by the name.
  return JSON.stringify(shared[name]) === JSON.stringify(schema) ? { $ref: `#/components/schemas/${name}` } : schema;
}

function fieldSchema(field: RowField): JsonSchema {
  const { kind, mayBeNull } = field;
  const schema: JsonSchema = schemaOfKind[kind];
  const type = mayBeNull && kind !== "nothing" ? [schema["type"], "null"] : schema["type"];
  return { ...schema, type, description: noteWithGoal(field) };
}
