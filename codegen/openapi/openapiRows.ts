import { type FieldKind, noteWithGoal, type RowField, type RowType, rowTypes } from "../client/rowTypes.ts";
import type { JsonSchema } from "./openapiRules.ts";

/** The schema of each query type's rows by its name, and `Row`, which is any of them. */
export function rowSchemas(): Record<string, JsonSchema> {
  const types = rowTypes();
  const schemas = Object.fromEntries(types.map((type) => [type.name, rowSchema(type)]));
  const anyOf = types.map(({ name }) => ({ $ref: `#/components/schemas/${name}` }));
  const description = "A row of one query type: of top_pages a TopPagesRow.";
  return { Row: { description, anyOf }, ...schemas };
}

function rowSchema({ query, description, fields }: RowType): JsonSchema {
  return {
    type: "object",
    description: `A row of ${query}. ${description}`,
    properties: Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field)])),
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

function fieldSchema(field: RowField): JsonSchema {
  const { kind, mayBeNull } = field;
  const schema: JsonSchema = schemaOfKind[kind];
  const type = mayBeNull && kind !== "nothing" ? [schema["type"], "null"] : schema["type"];
  return { ...schema, type, description: noteWithGoal(field) };
}
