import { create, type DescField, type DescMessage, toJson } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";

/**
 * A request as programs write it, to be compared with an object literal: without names of protobuf, without members that it does not have, and
 * with plain JSON. Times are texts.
 */
export function plainRequest(message: DescMessage, value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (message.typeName === ValueSchema.typeName) return toJson(ValueSchema, create(ValueSchema, value));
  if (message.typeName.startsWith("google.")) return value;
  const members = message.members.flatMap((member): [string, unknown][] => {
    const given: unknown = Reflect.get(value, member.localName);
    if (given === undefined) return [];
    if (member.kind !== "oneof") return [[member.localName, plainField(member, given)]];
    const chosen = given as { readonly case?: string; readonly value?: unknown };
    const field = member.fields.find(({ localName }) => localName === chosen.case);
    return field === undefined
      ? []
      : [[member.localName, { case: chosen.case, value: plainField(field, chosen.value) }]];
  });
  return Object.fromEntries(members);
}

function plainField({ fieldKind, message }: DescField, value: unknown): unknown {
  if (message === undefined) return value;
  if (fieldKind === "list") return (value as readonly unknown[]).map((item) => plainRequest(message, item));
  if (fieldKind !== "map") return plainRequest(message, value);
  return Object.fromEntries(Object.entries(value as object).map(([key, item]) => [key, plainRequest(message, item)]));
}
