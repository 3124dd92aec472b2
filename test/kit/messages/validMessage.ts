import { create, type DescField, type DescMessage, getOption, type Message, ScalarType } from "@bufbuild/protobuf";
import { type Value, ValueSchema } from "@bufbuild/protobuf/wkt";
import {
  type FieldRules,
  field as fieldOption,
  oneof as oneofOption,
} from "../../../src/gen/buf/validate/validate_pb.ts";
import { patternText } from "./patternText.ts";
import type { Random } from "./random.ts";

/** A random message that obeys every rule of the contract, generated from the descriptor alone. */
export function validMessage(desc: DescMessage, random: Random): Message {
  const init: Record<string, unknown> = {};
  for (const member of desc.members) {
    if (member.kind === "oneof") {
      if (!getOption(member, oneofOption).required && random.chance(0.3)) continue;
      const field = random.pick(member.fields);
      init[member.localName] = {
        case: field.localName,
        value: validValue(field, getOption(field, fieldOption), random),
      };
    } else {
      const rules = getOption(member, fieldOption);
      const hasPresence = member.fieldKind !== "list" && member.fieldKind !== "map" && member.presence !== 2;
      if (hasPresence && !rules.required && random.chance(0.4)) continue;
      init[member.localName] = validField(member, rules, random);
    }
  }
  return create(desc, init);
}

function validField(field: DescField, rules: FieldRules, random: Random): unknown {
  if (field.fieldKind === "list") {
    const type = rules.type.case === "repeated" ? rules.type.value : undefined;
    const least = Math.max(Number(type?.minItems ?? 0n), rules.required ? 1 : 0);
    const most = Math.min(type?.maxItems ? Number(type.maxItems) : 3, least + 2);
    const length = random.whole(least, Math.max(least, most));
    const list = Array.from({ length }, () => validValue(field, type?.items, random));
    return type?.unique ? [...new Set(list)] : list;
  }
  if (field.fieldKind === "map") {
    const type = rules.type.case === "map" ? rules.type.value : undefined;
    const keys = ["a", "b", "c"].slice(0, Math.min(2, Number(type?.maxPairs || 2n)));
    return Object.fromEntries(keys.map((key) => [key, validValue(field, type?.values, random)]));
  }
  return validValue(field, rules, random);
}

/** A value that obeys the rules of the field, or of one of its items. */
export function validValue(field: DescField, rules: FieldRules | undefined, random: Random): unknown {
  if (field.message?.typeName === "google.protobuf.Struct") return { text: "x", deep: { list: [1, null, true] } };
  if (field.message?.typeName === "google.protobuf.Value") return randomValue(random);
  if (field.message !== undefined) return validMessage(field.message, random);
  if (field.enum !== undefined) return random.pick(field.enum.values).number;
  switch (field.scalar) {
    case ScalarType.STRING:
      return validText(rules, random);
    case ScalarType.BOOL:
      return rules?.type.case === "bool" ? rules.type.value.const : random.chance(0.5);
    case ScalarType.BYTES:
      return new Uint8Array([1, 2, 255]);
    default:
      return validNumber(field, rules, random);
  }
}

export function randomValue(random: Random): Value {
  const of = (kind: Value["kind"]): Value => create(ValueSchema, { kind });
  return random.pick([
    () => of({ case: "stringValue", value: "text" }),
    () => of({ case: "numberValue", value: random.whole(-5, 5) }),
    () => of({ case: "boolValue", value: false }),
    () =>
      create(ValueSchema, {
        kind: {
          case: "listValue",
          value: { values: [of({ case: "nullValue", value: 0 }), of({ case: "stringValue", value: "x" })] },
        },
      }),
    () =>
      create(ValueSchema, {
        kind: { case: "structValue", value: { fields: { a: of({ case: "numberValue", value: 1 }) } } },
      }),
  ])();
}

function validText(rules: FieldRules | undefined, random: Random): string {
  if (rules?.type.case !== "string") return random.pick(rules?.required ? ["text", "é😀"] : ["", "text", "é😀"]);
  const { value } = rules.type;
  if (value.in.length > 0) return random.pick(value.in);
  if (value.wellKnown.case === "uuid") return "0f8fad5b-d9cb-469f-a165-70867728950e";
  if (value.const !== "") return value.const;
  if (value.prefix !== "") return `${value.prefix}x`;
  if (value.pattern !== "") return patternText(value.pattern, random);
  const least = Math.max(Number(value.minLen), rules.required ? 1 : 0);
  const most = value.maxLen > 0n ? Math.min(Number(value.maxLen), least + 12) : least + 12;
  return Array.from({ length: random.whole(least, most) }, () => random.pick(["a", "Z", "5", "é", "😀"])).join("");
}

function validNumber(field: DescField, rules: FieldRules | undefined, random: Random): number {
  const type = rules?.type.value;
  const bounds = type !== undefined && "greaterThan" in type && "in" in type ? type : undefined;
  if (bounds !== undefined && bounds.in.length > 0) return Number(random.pick<unknown>(bounds.in));
  if (bounds !== undefined && bounds.const !== 0 && bounds.const !== 0n) return Number(bounds.const);
  const lower =
    bounds?.greaterThan.value === undefined
      ? 0
      : Number(bounds.greaterThan.value) + (bounds.greaterThan.case === "gt" ? 1 : 0);
  const upper =
    bounds?.lessThan.value === undefined
      ? lower + 1000
      : Number(bounds.lessThan.value) - (bounds.lessThan.case === "lt" ? 1 : 0);
  const whole = random.whole(lower, upper);
  return field.scalar === ScalarType.DOUBLE && whole < upper && random.chance(0.3) ? whole + 0.5 : whole;
}
