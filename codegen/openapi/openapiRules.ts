import type { DescField } from "@bufbuild/protobuf";
import { getOption, isFieldSet } from "@bufbuild/protobuf";
import {
  type FieldRules,
  field as fieldOption,
  Ignore,
  StringRulesSchema,
} from "../../src/gen/buf/validate/validate_pb.ts";
import { compileRules } from "../codec/rules.ts";

/** A JSON Schema (draft 2020-12), the dialect of OpenAPI 3.1. */
export type JsonSchema = Record<string, unknown>;

/** The buf.validate rules of a field as schema keywords: of its own value, and of the items of a list or map. */
export function ruleKeywords(field: DescField): { readonly own: JsonSchema; readonly items: JsonSchema } {
  const rules = getOption(field, fieldOption);
  if (rules.ignore === Ignore.ALWAYS) return { own: {}, items: {} };
  const { type } = rules;
  if (type.case === "repeated" || type.case === "map") {
    const items = type.case === "repeated" ? type.value.items : type.value.values;
    return { own: sizeKeywords(field), items: items === undefined ? {} : valueKeywords(items) };
  }
  const own = valueKeywords(rules);
  // An empty text means "absent", so the schema must allow it besides the values.
  if (rules.ignore === Ignore.IF_ZERO_VALUE && Array.isArray(own["enum"])) own["enum"] = [...own["enum"], ""];
  return { own, items: {} };
}

function sizeKeywords(field: DescField): JsonSchema {
  const { required, size } = compileRules(field, []);
  const [least, most] = field.fieldKind === "map" ? ["minProperties", "maxProperties"] : ["minItems", "maxItems"];
  const min = Math.max(size.min, required ? 1 : 0);
  return {
    ...(min > 0 ? { [least]: min } : {}),
    ...(size.max === undefined ? {} : { [most]: size.max }),
    ...(size.unique ? { uniqueItems: true } : {}),
  };
}

function valueKeywords(rules: FieldRules): JsonSchema {
  const { type } = rules;
  const schema: JsonSchema = {};
  if (type.case === "string") {
    const { value } = type;
    if (value.minLen > 0n) schema["minLength"] = Number(value.minLen);
    if (isFieldSet(value, StringRulesSchema.field.maxLen)) schema["maxLength"] = Number(value.maxLen);
    if (value.pattern !== "") schema["pattern"] = value.pattern;
    if (value.prefix !== "") schema["pattern"] ??= `^${value.prefix.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")}`;
    if (value.in.length > 0) schema["enum"] = [...value.in];
    if (isFieldSet(value, StringRulesSchema.field.const)) schema["const"] = value.const;
    if (value.wellKnown.case === "uuid") schema["format"] = "uuid";
  } else if (type.value !== undefined && "greaterThan" in type.value) {
    const { greaterThan, lessThan } = type.value;
    if (greaterThan.case === "gt") schema["exclusiveMinimum"] = Number(greaterThan.value);
    if (greaterThan.case === "gte") schema["minimum"] = Number(greaterThan.value);
    if (lessThan.case === "lt") schema["exclusiveMaximum"] = Number(lessThan.value);
    if (lessThan.case === "lte") schema["maximum"] = Number(lessThan.value);
    if ("in" in type.value && type.value.in.length > 0) schema["enum"] = type.value.in.map(Number);
  } else if (type.case === "bool") schema["const"] = type.value.const;
  return schema;
}
