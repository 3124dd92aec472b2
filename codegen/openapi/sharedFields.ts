import { capitalised } from "../client/rowTypes.ts";
import type { JsonSchema } from "./openapiRules.ts";

/** What a schema must save, in characters, to be kept once. */
const leastSaving = 8;

/**
 * The schemas with each field that several of them have alike kept once, as a schema of its own that they refer to. It shortens the
 * document by a tenth of what it would be.
 */
export function shareFields(schemas: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> {
  const shared = sharedFields(schemas);
  const referring = Object.entries(schemas).map(([name, schema]) => [name, withReferences(schema, shared)]);
  return {
    ...Object.fromEntries(referring),
    ...Object.fromEntries([...shared.values()].map((one) => [one.name, one.schema])),
  };
}

/** The fields that are kept once, by the text of their schema. */
type SharedFields = ReadonlyMap<string, { readonly name: string; readonly schema: JsonSchema }>;

function sharedFields(schemas: Readonly<Record<string, JsonSchema>>): SharedFields {
  const fields = Object.values(schemas).flatMap((schema) => Object.entries(propertiesOf(schema)));
  const groups = Map.groupBy(fields, ([, schema]) => JSON.stringify(schema));
  const taken = new Set(Object.keys(schemas));
  const shared = new Map<string, { name: string; schema: JsonSchema }>();
  for (const [text, [first, ...others]] of groups) {
    if (first === undefined) continue;
    const [field, schema] = first;
    const name = freeName(field, taken);
    const reference = JSON.stringify(referenceTo(name)).length;
    if (others.length * (text.length - reference) - 2 * reference < leastSaving) continue;
    taken.add(name);
    shared.set(text, { name, schema });
  }
  return shared;
}

function freeName(field: string, taken: ReadonlySet<string>): string {
  const name = `${capitalised(field)}Field`;
  let free = name;
  for (let count = 2; taken.has(free); count += 1) free = `${name}${count}`;
  return free;
}

function withReferences(schema: JsonSchema, shared: SharedFields): JsonSchema {
  const properties = Object.entries(propertiesOf(schema));
  if (properties.length === 0) return schema;
  const replaced = properties.map(([field, own]) => {
    const kept = shared.get(JSON.stringify(own));
    return [field, kept === undefined ? own : referenceTo(kept.name)];
  });
  return { ...schema, properties: Object.fromEntries(replaced) };
}

function propertiesOf(schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
  return (schema["properties"] ?? {}) as Readonly<Record<string, JsonSchema>>;
}

function referenceTo(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}
