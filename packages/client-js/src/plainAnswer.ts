import type { DescField, DescMessage } from "@bufbuild/protobuf";

/**
 * Hides the names that protobuf keeps in an answer and the messages in it, so that they are not in logs, JSON and copies. The answer stays the
 * same object, and a message for functions of protobuf.
 */
export function hideTypeNames(message: DescMessage, answer: unknown): void {
  if (typeof answer !== "object" || answer === null || message.typeName.startsWith("google.")) return;
  if (Object.hasOwn(answer, "$typeName")) Object.defineProperty(answer, "$typeName", { enumerable: false });
  for (const member of message.members) {
    const value: unknown = Reflect.get(answer, member.localName);
    if (value === undefined) continue;
    if (member.kind !== "oneof") hideIn(member, value);
    else {
      const chosen = value as { readonly case?: string; readonly value?: unknown };
      const field = member.fields.find(({ localName }) => localName === chosen.case);
      if (field !== undefined) hideIn(field, chosen.value);
    }
  }
}

function hideIn(field: DescField, value: unknown): void {
  const { message } = field;
  if (message === undefined) return;
  const isMany = field.fieldKind === "list" || field.fieldKind === "map";
  for (const each of isMany ? Object.values(value as object) : [value]) hideTypeNames(message, each);
}
