import type { DescField, DescMessage, DescOneof } from "@bufbuild/protobuf";
import { getOption, ScalarType } from "@bufbuild/protobuf";
import { oneof as oneofRules } from "../../src/gen/buf/validate/validate_pb.ts";
import { field as fieldJson, message as messageJson, oneof as oneofJson } from "../../src/gen/gateway/v1/json_pb.ts";
import { taggedCases } from "../codec/parseOneofText.ts";
import { compileRules } from "../codec/rules.ts";
import { commentOf } from "../comments.ts";
import { hasPresence, listValueType, namesOf, structType, valueType } from "../contract.ts";
import { rowSchemas } from "./openapiRows.ts";
import { type JsonSchema, ruleKeywords } from "./openapiRules.ts";

/**
 * A request is described as it is read, a response as it is written: they differ in required members, and aliases are
 * only read.
 */
export type Direction = "request" | "response";

/** The schemas of messages under components, each created when it is first referenced. */
export class Schemas {
  readonly components: Record<string, JsonSchema> = {};
  readonly #both: ReadonlySet<DescMessage>;
  readonly #strict: ReadonlySet<DescMessage>;

  /**
   * `both` holds the messages used in requests and responses; the request's schema is then named …Input.
   * `strict` holds those that refuse unknown members.
   */
  constructor(both: ReadonlySet<DescMessage>, strict: ReadonlySet<DescMessage>) {
    this.#both = both;
    this.#strict = strict;
  }

  /** A reference to the schema of a message. */
  reference(message: DescMessage, direction: Direction): JsonSchema {
    const name = message.name + (direction === "request" && this.#both.has(message) ? "Input" : "");
    if (this.components[name] === undefined) {
      this.components[name] = {};
      this.components[name] = this.message(message, direction);
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  /** The schema of a message, without the fields whose names are in `except`. */
  message(message: DescMessage, direction: Direction, except: readonly string[] = []): JsonSchema {
    const properties: Record<string, JsonSchema> = {};
    const required: string[] = [];
    const all: JsonSchema[] = [];
    for (const member of message.members) {
      if (member.kind === "oneof") all.push(...this.#oneof(member, direction, properties));
      else if (!except.includes(member.name)) {
        properties[member.jsonName] = this.field(member, direction);
        const aliases =
          direction === "request"
            ? namesOf(member).filter((name) => name !== member.jsonName && name !== member.name)
            : [];
        for (const alias of aliases)
          properties[alias] = { ...this.#value(member, direction), description: `The same as ${member.jsonName}.` };
        if (!isRequired(member, direction)) continue;
        if (aliases.length === 0) required.push(member.jsonName);
        else all.push({ anyOf: [member.jsonName, ...aliases].map((name) => ({ required: [name] })) });
      }
    }
    const object: JsonSchema = { type: "object", ...describe(commentOf(message)) };
    if (Object.keys(properties).length > 0) object["properties"] = properties;
    if (required.length > 0) object["required"] = required;
    // Unlike additionalProperties, it takes the members of a oneof's alternatives into account.
    if (direction === "request" && this.#strict.has(message)) object["unevaluatedProperties"] = false;
    const [only] = all;
    if (only !== undefined && all.length === 1) Object.assign(object, only);
    else if (all.length > 1) object["allOf"] = all;
    const shorthand = message.fields.find((field) => field.name === getOption(message, messageJson).shorthand);
    if (shorthand === undefined || direction === "response") return object;
    return { oneOf: [this.field(shorthand, direction), object] };
  }

  /** The schema of a field with its comment. That of idempotency keys is the same in many requests, so it is kept once. */
  field(field: DescField, direction: Direction): JsonSchema {
    if (field.name !== "idempotency_key") return this.#field(field, direction);
    this.components["IdempotencyKey"] ??= this.#field(field, direction);
    return { $ref: "#/components/schemas/IdempotencyKey" };
  }

  #field(field: DescField, direction: Direction): JsonSchema {
    const schema = this.#value(field, direction);
    const isNullable = direction === "response" && getOption(field, fieldJson).emitNull;
    return { ...(isNullable ? nullable(schema) : schema), ...describe(commentOf(field)) };
  }

  #value(field: DescField, direction: Direction): JsonSchema {
    const { own, items } = ruleKeywords(field);
    if (field.fieldKind === "list")
      return { type: "array", items: { ...this.#one(field, direction), ...items }, ...own };
    if (field.fieldKind === "map")
      return { type: "object", additionalProperties: { ...this.#one(field, direction), ...items }, ...own };
    return { ...this.#one(field, direction), ...own };
  }

  #one(field: DescField, direction: Direction): JsonSchema {
    if (field.message !== undefined) {
      if (getOption(field, fieldJson).queryRows) return this.#row();
      if (field.message.typeName === structType) return { type: "object", additionalProperties: true };
      if (field.message.typeName === valueType) return {};
      if (field.message.typeName === listValueType) return { type: "array", items: {} };
      return this.reference(field.message, direction);
    }
    if (field.enum !== undefined) return { type: "string", enum: field.enum.values.map((value) => value.name) };
    switch (field.scalar) {
      case ScalarType.STRING:
        return { type: "string" };
      case ScalarType.BOOL:
        return { type: "boolean" };
      case ScalarType.BYTES:
        return { type: "string", contentEncoding: "base64" };
      case ScalarType.DOUBLE:
      case ScalarType.FLOAT:
        return { type: "number" };
      case ScalarType.UINT32:
      case ScalarType.FIXED32:
        return { type: "integer", minimum: 0, ...(direction === "request" ? { maximum: 4294967295 } : {}) };
      default:
        return { type: "integer", format: "int32" };
    }
  }

  #row(): JsonSchema {
    Object.assign(this.components, rowSchemas());
    return { $ref: "#/components/schemas/Row" };
  }

  /** What a oneof adds to its object: plain members, or the alternatives of a tagged one. */
  #oneof(oneof: DescOneof, direction: Direction, properties: Record<string, JsonSchema>): readonly JsonSchema[] {
    const json = getOption(oneof, oneofJson);
    const isRequired = getOption(oneof, oneofRules).required;
    if (json.tag === "") {
      for (const field of oneof.fields) properties[field.jsonName] = this.field(field, direction);
      const alternatives = oneof.fields.map((field) => ({ required: [field.jsonName] }));
      return isRequired
        ? [{ oneOf: alternatives }]
        : [{ not: { anyOf: pairs(oneof.fields.map((field) => field.jsonName)) } }];
    }
    const tagged = taggedCases(oneof).map((field) => ({
      type: "object",
      required: [json.tag, json.content],
      properties: { [json.tag]: { const: field.jsonName }, [json.content]: this.field(field, direction) },
    }));
    const flat = oneof.fields.find((field) => field.name === json.flat);
    return flat === undefined
      ? [{ oneOf: tagged }]
      : [{ oneOf: [...tagged, { ...this.#one(flat, direction), properties: { [json.content]: { type: "null" } } }] }];
  }
}

/** Whether a request must have the field, or a response always has it. */
export function isRequired(field: DescField, direction: Direction): boolean {
  const isRepeated = field.fieldKind === "list" || field.fieldKind === "map";
  if (direction === "response") return !hasPresence(field) || getOption(field, fieldJson).emitNull;
  const rules = compileRules(field, []);
  if (rules.required || (isRepeated && rules.size.min > 0 && !rules.skipsZero)) return true;
  return !isRepeated && !hasPresence(field) && !rules.skipsZero && rules.values.some((rule) => rule.refusesZero);
}

function nullable(schema: JsonSchema): JsonSchema {
  return typeof schema["type"] === "string"
    ? { ...schema, type: [schema["type"], "null"] }
    : { oneOf: [schema, { type: "null" }] };
}

function describe(comment: string): JsonSchema {
  return comment === "" ? {} : { description: comment };
}

function pairs(names: readonly string[]): JsonSchema[] {
  return names.flatMap((first, index) => names.slice(index + 1).map((second) => ({ required: [first, second] })));
}
