import { type DescField, type DescMessage, getOption, isMessage, type Message, ScalarType } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { field as fieldOption } from "../../../src/gen/buf/validate/validate_pb.ts";
import type { Random } from "./random.ts";
import { randomValue, validValue } from "./validMessage.ts";

const oddTexts = [
  "",
  " ",
  "x",
  "1x1",
  "1x",
  "wifi",
  "EQ",
  "é\n",
  "2026-02-30",
  "https://example.org/ä",
  "http:// x",
  "a b",
  "a\u0000b",
  "a".repeat(300),
  "😀".repeat(129),
];
const wholeNumbers = [0, 1, -1, 99, 100, 101, 10000, 10001, 2147483647];
const anyNumbers = [
  ...wholeNumbers,
  0.5,
  100.5,
  -0.5,
  1e300,
  946684799999,
  253402300800000,
  Number.NaN,
  Number.POSITIVE_INFINITY,
];

/** Changes one place of a message, aiming at the edges of its rules. */
export function mutate(desc: DescMessage, message: Message, random: Random): void {
  const places = placesIn(desc, message);
  const place = random.pick(places);
  if (place === undefined) return;
  const { field, owner } = place;
  const target = owner as unknown as Record<string, unknown>;
  if (field.oneof !== undefined) {
    const content = target[field.oneof.localName] as { case?: string };
    target[field.oneof.localName] =
      random.chance(0.5) || content.case !== field.localName
        ? { case: undefined }
        : { case: field.localName, value: oddValue(field, random) };
    return;
  }
  if (field.fieldKind === "list")
    target[field.localName] = oddList(field, [...(target[field.localName] as unknown[])], random);
  else if (field.fieldKind === "map")
    target[field.localName] = random.chance(0.5) ? {} : { odd: oddValue(field, random) };
  else if (field.presence !== 2 && random.chance(0.3)) delete target[field.localName];
  else target[field.localName] = oddValue(field, random);
}

type Place = { readonly owner: Message; readonly field: DescField };

/** Every field of the message and of the messages in it. */
function placesIn(desc: DescMessage, message: Message): Place[] {
  const view = reflect(desc, message);
  return desc.fields.flatMap((field): Place[] => {
    const here: Place[] = [{ owner: message, field }];
    if (field.message === undefined || field.message.typeName.startsWith("google.protobuf.") || !view.isSet(field))
      return here;
    const value: unknown =
      field.oneof === undefined
        ? (message as unknown as Record<string, unknown>)[field.localName]
        : (message as unknown as Record<string, { value: unknown }>)[field.oneof.localName]?.value;
    const inner = Array.isArray(value) ? value : isMessage(value) ? [value] : Object.values(value as object);
    const { message: innerDesc } = field;
    return [...here, ...inner.flatMap((one) => placesIn(innerDesc, one as Message))];
  });
}

function oddValue(field: DescField, random: Random): unknown {
  if (field.message?.typeName === "google.protobuf.Value") return randomValue(random);
  if (field.message !== undefined) return validValue(field, undefined, random);
  if (field.enum !== undefined) return random.pick([0, 1, 99]);
  switch (field.scalar) {
    case ScalarType.STRING:
      return oddText(field, random);
    case ScalarType.BOOL:
      return random.chance(0.5);
    case ScalarType.BYTES:
      return new Uint8Array(random.whole(0, 3));
    case ScalarType.DOUBLE:
    case ScalarType.FLOAT:
      return random.pick([...anyNumbers, ...bounds(field)]);
    default: {
      const least = field.scalar === ScalarType.UINT32 || field.scalar === ScalarType.FIXED32 ? 0 : -2147483648;
      return random.pick(
        [...wholeNumbers, ...bounds(field)].filter((number) => number >= least && Number.isInteger(number)),
      );
    }
  }
}

function oddText(field: DescField, random: Random): string {
  const { type } = getOption(field, fieldOption);
  const rules = type.case === "string" ? type.value : undefined;
  const sizes = [rules?.maxLen, rules?.minLen].filter((size) => size !== undefined && size > 0n).map(Number);
  if (sizes.length === 0 || random.chance(0.4)) return random.pick([...oddTexts, ...(rules?.in ?? [])]);
  return random.pick(["a", "😀", "é"]).repeat(random.pick(sizes) + random.whole(-1, 1));
}

function bounds(field: DescField): number[] {
  const { value } = getOption(field, fieldOption).type;
  if (value === undefined || !("greaterThan" in value)) return [];
  const edges = [value.greaterThan.value, value.lessThan.value].filter((edge) => edge !== undefined).map(Number);
  return edges.flatMap((edge) => [edge - 1, edge - 0.5, edge, edge + 0.5, edge + 1]);
}

function oddList(field: DescField, list: unknown[], random: Random): unknown[] {
  const { type } = getOption(field, fieldOption);
  const rules = type.case === "repeated" ? type.value : undefined;
  const edges = [
    0,
    1,
    Number(rules?.minItems ?? 0n) - 1,
    Number(rules?.maxItems ?? 3n),
    Number(rules?.maxItems ?? 3n) + 1,
  ];
  if (field.message === undefined && random.chance(0.4)) return [...list.slice(1), oddValue(field, random)];
  const first = list[0] ?? validValue(field, rules?.items, random);
  const length = Math.max(0, random.pick(edges));
  return Array.from({ length }, (_, index) => list[index] ?? first);
}
