import type { JsonObject, JsonValue } from "@bufbuild/protobuf";

/** Names of fields that hold secrets, or often do: headers and bodies of checks, addresses of webhooks. */
const secretNames = /secret|password|token|hash|authorization|cookie|^(?:api_?)?key$|^headers$|^body$|^target$/i;

/** A copy in which values of such fields read `[hidden]`, at any depth. */
export function withoutSecrets(object: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [
      name,
      secretNames.test(name) && value !== null ? "[hidden]" : valueWithoutSecrets(value),
    ]),
  );
}

function valueWithoutSecrets(value: JsonValue): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  return Array.isArray(value) ? value.map(valueWithoutSecrets) : withoutSecrets(value);
}
