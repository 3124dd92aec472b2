import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { type DescField, type DescMessage, getOption, ScalarType } from "@bufbuild/protobuf";
import { type FieldRules, field as fieldOption } from "../../../src/gen/buf/validate/validate_pb.ts";

/** Deeper messages have no room for more. */
const maxDepth = 4;

/**
 * A JSON object of about `chars` characters that fills a message: lists as long as the contract lets them be, texts as long as they may be or
 * sharing the remaining size, free-form objects with many small members.
 */
export function largestBody(desc: DescMessage, chars: number, depth = 0): JsonObject {
  if (depth > maxDepth) return {};
  // Of a oneof only one may be sent.
  const fields = desc.fields.filter(({ oneof }) => oneof === undefined || oneof.fields.length === 1);
  const share = Math.floor(chars / Math.max(1, fields.length));
  return Object.fromEntries(fields.map((field) => [field.jsonName, fillField(field, share, depth)]));
}

function fillField(field: DescField, chars: number, depth: number): JsonValue {
  const rules = getOption(field, fieldOption);
  if (field.fieldKind === "map") return manyMembers(chars);
  if (field.fieldKind !== "list") return fillValue(field, rules, chars, depth);
  const type = rules.type.case === "repeated" ? rules.type.value : undefined;
  const length = Math.min(Number(type?.maxItems || 10_000n), Math.max(1, Math.floor(chars / 16)));
  return Array.from({ length }, () => fillValue(field, type?.items, Math.floor(chars / length), depth));
}

function fillValue(field: DescField, rules: FieldRules | undefined, chars: number, depth: number): JsonValue {
  const { message } = field;
  if (message?.typeName === "google.protobuf.Struct") return manyMembers(chars);
  if (message?.typeName === "google.protobuf.Value") return manyItems(chars);
  if (message?.typeName === "google.protobuf.Timestamp") return new Date().toISOString();
  if (message !== undefined) return largestBody(message, chars, depth + 1);
  if (field.enum !== undefined) return field.enum.values.at(-1)?.name ?? "";
  if (field.scalar === ScalarType.STRING) return fillText(rules, chars);
  return field.scalar === ScalarType.BOOL ? true : 1;
}

function fillText(rules: FieldRules | undefined, chars: number): string {
  const text = rules?.type.case === "string" ? rules.type.value : undefined;
  const [allowed] = text?.in ?? [];
  return allowed ?? "a".repeat(Math.min(Number(text?.maxLen || BigInt(chars)), chars));
}

/** As many members as fit: `"m1000":1,`. */
export function manyMembers(chars: number): JsonObject {
  return Object.fromEntries(Array.from({ length: Math.floor(chars / 12) }, (_, index) => [`m${index}`, index % 10]));
}

function manyItems(chars: number): JsonValue {
  return Array.from({ length: Math.floor(chars / 8) }, (_, index) => `v${index % 1_000}`);
}
