import { type DescMessage, getOption, type JsonValue } from "@bufbuild/protobuf";
import { field as fieldJson } from "../../src/gen/gateway/v1/json_pb.ts";
import type { Random } from "../kit/messages/random.ts";

const wrongValues: readonly JsonValue[] = [
  "text",
  1,
  -1,
  1.5,
  1e40,
  5_000_000_000,
  true,
  [],
  [null],
  [1],
  ["x"],
  {},
  { a: 1 },
  "\ud800",
];

/**
 * Puts a value of another type at one place of a protobuf JSON object. False when there was no place. Messages that `hasShorthand` are
 * not replaced by text.
 */
export function spoil(
  desc: DescMessage,
  json: Record<string, JsonValue>,
  random: Random,
  hasShorthand: (desc: DescMessage) => boolean,
): boolean {
  const fieldOf = (name: string) => desc.fields.find((candidate) => candidate.jsonName === name);
  const names = Object.keys(json).filter((name) => {
    const field = fieldOf(name);
    // No value is wrong for it.
    return field === undefined || !getOption(field, fieldJson).asText;
  });
  if (names.length === 0) return false;
  const name = random.pick(names);
  const field = fieldOf(name);
  const inner = field?.message?.typeName.startsWith("google.protobuf.") ? undefined : field?.message;
  const value = json[name];
  const wrong = wrongValues.filter((one) => inner === undefined || !hasShorthand(inner) || !holdsText(one));
  if (inner !== undefined && random.chance(0.7)) {
    const nested: unknown = Array.isArray(value) ? value[random.whole(0, Math.max(0, value.length - 1))] : value;
    if (typeof nested === "object" && nested !== null && !Array.isArray(nested))
      return spoil(inner, nested as Record<string, JsonValue>, random, hasShorthand);
  }
  if (Array.isArray(value) && value.length > 0 && random.chance(0.5))
    value[random.whole(0, value.length - 1)] = random.pick(wrong);
  else json[name] = random.pick(wrong);
  return true;
}

function holdsText(json: JsonValue): boolean {
  return typeof json === "string" || (Array.isArray(json) && json.some((item) => typeof item === "string"));
}
