import type { DescField, DescFile, DescMessage } from "@bufbuild/protobuf";
import { clientMessages, nativeKindOf } from "./nativeFields.ts";
import { capitalised } from "./rowTypes.ts";

/** What protoc's class of a message and its builder get in addition. */
export type NativeMembers = { readonly message: string; readonly builder: string };

/**
 * Members by message, for fields that hold a time or JSON: `link.getCreatedAtInstant()` and `setExpiresAt(Instant)`, `getPropertiesMap()` and `setProperties(Map)`,
 * and `addFilter("path", "eq", "/")` for a list of filters.
 */
export function javaNativeMembers(files: readonly DescFile[]): ReadonlyMap<DescMessage, NativeMembers> {
  const members = new Map<DescMessage, NativeMembers>();
  for (const message of clientMessages(files)) {
    const getters = message.fields.map(getterOf).join("");
    const setters = message.fields.map(settersOf).join("");
    if (getters !== "" || setters !== "") members.set(message, { message: getters, builder: setters });
  }
  return members;
}

/** The source of protoc with the members at the places that it marks. */
export function withNativeMembers(source: string, { typeName }: DescMessage, members: NativeMembers): string {
  const at = (scope: string) => `  // @@protoc_insertion_point(${scope}:${typeName})\n`;
  const [inBuilder, inClass] = [at("builder_scope"), at("class_scope")];
  if (!source.includes(inBuilder) || !source.includes(inClass))
    throw new Error(`protoc marks no places in ${typeName}`);
  return source
    .replace(inBuilder, () => `${members.builder}${inBuilder}`)
    .replace(inClass, () => `${members.message}${inClass}`);
}

function getterOf(field: DescField): string {
  const name = capitalised(field.localName);
  if (nativeKindOf(field) === "object") {
    return `
  /** {@link #get${name}()} as a map of plain values: see {@link dev.lookout.Json#plain(com.google.protobuf.Struct)}; null where it is missing. */
  public java.util.Map<String, Object> get${name}Map() {
    return has${name}() ? dev.lookout.Json.plain(get${name}()) : null;
  }
`;
  }
  if (nativeKindOf(field) !== "instant") return "";
  return `
  /** {@link #get${name}()} as a time; null where it is missing. */
  public java.time.Instant get${name}Instant() {
    return get${name}().isEmpty() ? null : java.time.Instant.parse(get${name}());
  }
`;
}

function settersOf(field: DescField): string {
  const name = capitalised(field.localName);
  const given = `java.util.Objects.requireNonNull(value, "${field.localName} is null")`;
  const set = (type: string, value: string, note: string) => `
    /** ${note} */
    public Builder set${name}(${type} value) {
      return set${name}(${value});
    }
`;
  const instant = set("java.time.Instant", `${given}.toString()`, "Sets a time.");
  const day = set("java.time.LocalDate", `${given}.toString()`, "Sets a day.");
  switch (nativeKindOf(field)) {
    case "instant":
      return instant;
    case "day":
      return day;
    case "day or instant":
      return `${instant}${day}`;
    case "milliseconds":
      return set("java.time.Instant", `(double) ${given}.toEpochMilli()`, "Sets a time.");
    case "object":
      return set(
        "java.util.Map<String, ?>",
        `dev.lookout.Json.object(${given})`,
        "Sets JSON. Throws an IllegalArgumentException for what JSON does not have, such as NaN: see {@link dev.lookout.Json#value}.",
      );
    case "value":
      return set("Object", "dev.lookout.Json.value(value)", "Sets JSON: see {@link dev.lookout.Json#value}.");
    case undefined:
      return isOfFilters(field) ? addFilter : "";
  }
}

function isOfFilters(field: DescField): boolean {
  return field.fieldKind === "list" && field.name === "filters" && field.message?.name === "QueryFilter";
}

const addFilter = `
    /** Adds a filter, such as {@code "path", "eq", "/shop"}. "in" and "not_in" take several values, "is_empty" and "is_not_empty" none. */
    public Builder addFilter(String field, String op, Object... values) {
      return addFilters(dev.lookout.Json.filter(field, op, values));
    }
`;
