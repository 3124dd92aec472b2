import { type DescField, type DescMessage, getOption, type Message, ScalarType } from "@bufbuild/protobuf";
import { type Path, reflect } from "@bufbuild/protobuf/reflect";
import { createValidator } from "@bufbuild/protovalidate";
import { field as fieldOption, Ignore } from "../../src/gen/buf/validate/validate_pb.ts";
import { oneof as oneofJson } from "../../src/gen/gateway/v1/json_pb.ts";

const validator = createValidator();

/**
 * Paths, as the JSON interface writes them, of the fields that protovalidate refuses, sorted, each once. `rawList` is a list whose
 * items are not validated. The items of a list that is too long are left out, as the codecs do not read them. Texts with U+0000 are refused
 * unless the message `isLenient`.
 */
export function refusedFields(
  desc: DescMessage,
  message: Message,
  rawList: string | undefined,
  isLenient: boolean,
): string[] {
  const result = validator.validate(desc, message);
  if (result.kind === "error") throw result.error;
  const found = (result.violations ?? []).map((violation) => ({
    path: jsonPath(violation.field),
    rule: violation.ruleId,
  }));
  const unread = found.filter(({ rule }) => rule === "repeated.max_items").map(({ path }) => `${path}[`);
  if (rawList !== undefined) unread.push(`${rawList}[`);
  const violated = [
    ...found.map(({ path }) => path),
    ...notFinite(desc, message),
    ...(isLenient ? [] : withNul(desc, message)),
  ];
  return [...new Set(violated.filter((path) => !unread.some((start) => path.startsWith(start))))].sort();
}

/** A protovalidate path with JSON names; the cases of a tagged oneof are below its content member, the flat one has no prefix. */
function jsonPath(path: Path): string {
  let text = "";
  for (const part of path) {
    if (part.kind === "list_sub") text += `[${part.index}]`;
    else if (part.kind === "map_sub") text += `.${String(part.key)}`;
    else
      text = join(
        text,
        part.kind === "oneof"
          ? getOption(part, oneofJson).tag || part.name
          : part.kind === "field"
            ? nameOf(part)
            : part.name,
      );
  }
  return text;
}

function nameOf(field: DescMessage["fields"][number]): string {
  const json = field.oneof === undefined ? undefined : getOption(field.oneof, oneofJson);
  if (json === undefined || json.tag === "") return field.jsonName;
  return json.flat === field.name ? "" : json.content;
}

function join(path: string, name: string): string {
  return path === "" || name === "" ? path + name : `${path}.${name}`;
}

/** Fields with NaN or an infinity: no JSON number carries them, so the codecs refuse them where protovalidate does not. */
function notFinite(desc: DescMessage, message: Message): string[] {
  return scalarPaths(desc, message, (field, value) => {
    const isNumber = field.scalar === ScalarType.DOUBLE || field.scalar === ScalarType.FLOAT;
    return isNumber && getOption(field, fieldOption).ignore !== Ignore.ALWAYS && !Number.isFinite(value);
  });
}

function withNul(desc: DescMessage, message: Message): string[] {
  return scalarPaths(desc, message, (_, value) => typeof value === "string" && value.includes("\u0000"));
}

/** Paths of the scalar values that a test holds for. */
function scalarPaths(
  desc: DescMessage,
  message: Message,
  holds: (field: DescField, value: unknown) => boolean,
): string[] {
  const view = reflect(desc, message);
  return desc.fields.flatMap((field): string[] => {
    if (!view.isSet(field)) return [];
    const value: unknown =
      field.oneof === undefined
        ? Reflect.get(message, field.localName)
        : Reflect.get(Reflect.get(message, field.oneof.localName) as object, "value");
    const { message: inner } = field;
    const pathsIn = (one: unknown, path: string): string[] => {
      if (inner === undefined) return holds(field, one) ? [path] : [];
      if (inner.typeName.startsWith("google.protobuf.")) return [];
      return scalarPaths(inner, one as Message, holds).map((rest) => join(path, rest));
    };
    if (field.fieldKind === "list")
      return (value as unknown[]).flatMap((one, index) => pathsIn(one, `${nameOf(field)}[${index}]`));
    if (field.fieldKind === "map")
      return Object.entries(value as object).flatMap(([key, one]) => pathsIn(one, `${nameOf(field)}.${key}`));
    return pathsIn(value, nameOf(field));
  });
}
