import { type DescMessage, getOption, type JsonObject, type JsonValue } from "@bufbuild/protobuf";
import { oneof as oneofJson } from "../../../src/gen/gateway/v1/json_pb.ts";

/** protobuf JSON as the gateway's clients write it: the cases of a tagged oneof become {tag, content}, the flat one the object itself. */
export function taggedJson(desc: DescMessage, json: JsonValue): JsonValue {
  if (!isObject(json)) return json;
  let written: JsonObject = {};
  for (const [name, value] of Object.entries(json)) {
    const field = desc.fields.find((candidate) => candidate.jsonName === name);
    const inner = field?.message;
    const nested = (one: JsonValue): JsonValue =>
      inner === undefined || inner.typeName.startsWith("google.protobuf.") ? one : taggedJson(inner, one);
    const converted =
      field?.fieldKind === "list" && Array.isArray(value)
        ? value.map(nested)
        : field?.fieldKind === "map"
          ? value
          : nested(value);
    const tagged = field?.oneof === undefined ? undefined : getOption(field.oneof, oneofJson);
    if (field === undefined || tagged === undefined || tagged.tag === "") written[name] = converted;
    else if (tagged.flat !== field.name)
      written = { ...written, [tagged.tag]: field.jsonName, [tagged.content]: converted };
    else if (isObject(converted)) written = { ...written, ...converted };
    else return converted;
  }
  return written;
}

function isObject(json: JsonValue): json is JsonObject {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}
