import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { urlWithoutSecrets } from "../text/urlWithoutSecrets.ts";
import { secretFieldNames } from "./secretFields.ts";

/** Names of fields that are in no request and no answer and hold secrets, or often do. */
const secretNames = /secret|password|token|hash|authorization|cookie|^(?:api_?)?key$/i;

/** A copy in which values of fields with secrets read `[hidden]`, at any depth; of an address all but its query is shown. */
export function withoutSecrets(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, shown(name, value)]));
}

function shown(name: string, value: JsonValue): JsonValue {
  if (value === null) return null;
  if (name === "url" && typeof value === "string" && URL.canParse(value)) return shownUrl(value);
  return secretFieldNames.has(name) || secretNames.test(name) ? "[hidden]" : valueWithoutSecrets(value);
}

function shownUrl(url: string): string {
  return `${urlWithoutSecrets(url)}${new URL(url).search === "" ? "" : "?[hidden]"}`;
}

function valueWithoutSecrets(value: JsonValue): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  return Array.isArray(value) ? value.map(valueWithoutSecrets) : withoutSecrets(value);
}
