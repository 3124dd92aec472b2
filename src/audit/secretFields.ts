import type { DescMessage } from "@bufbuild/protobuf";
import { services } from "../gen/lookout/services.ts";

/**
 * The names, as in JSON, of the fields that hold secrets: those that the contract marks with `debug_redact`
 * (google/protobuf/descriptor.proto) in any request or answer. The contract is the one place where a field is marked.
 */
export const secretFieldNames: ReadonlySet<string> = new Set(
  services.flatMap(({ methods }) =>
    methods.flatMap(({ input, output }) => [...markedNames(input, new Set()), ...markedNames(output, new Set())]),
  ),
);

/** Those of a message and the messages within it. */
function markedNames(message: DescMessage, seen: Set<string>): string[] {
  if (seen.has(message.typeName)) return [];
  seen.add(message.typeName);
  return message.fields.flatMap((field) => [
    ...(field.proto.options?.debugRedact === true ? [field.jsonName] : []),
    ...(field.message === undefined ? [] : markedNames(field.message, seen)),
  ]);
}
