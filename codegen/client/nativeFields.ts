import { type DescField, type DescFile, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { StructSchema, ValueSchema } from "@bufbuild/protobuf/wkt";
import { reached } from "../contract.ts";
import { clientServices } from "./clientServices.ts";
import { type TimeKind, timeKindOf } from "./pythonTimesText.ts";

/** What a field holds instead of what its type says: a time, or JSON. */
export type NativeKind = TimeKind | "object" | "value";

/** Undefined for fields that hold what their type says. */
export function nativeKindOf(field: DescField): NativeKind | undefined {
  if (field.fieldKind === "message") {
    const { typeName } = field.message;
    if (typeName === StructSchema.typeName) return "object";
    return typeName === ValueSchema.typeName ? "value" : undefined;
  }
  if (field.fieldKind !== "scalar") return undefined;
  const isInstant = field.scalar === ScalarType.STRING && /_at$/.test(field.name);
  return isInstant ? "instant" : timeKindOf(field);
}

/** The messages of the calls that take an API key, each once, by name. */
export function clientMessages(files: readonly DescFile[]): readonly DescMessage[] {
  const methods = clientServices(files).flatMap((service) => service.methods);
  const messages = reached(methods.flatMap(({ input, output }) => [input, output]));
  return [...messages].toSorted((one, other) => one.name.localeCompare(other.name));
}
