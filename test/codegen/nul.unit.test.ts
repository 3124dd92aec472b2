import { type DescField, type DescMessage, getOption, type JsonValue, ScalarType } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { method as methodJson } from "../../src/gen/gateway/v1/json_pb.ts";
import type { Violation } from "../../src/gen/lookout/codecs.js";
import { codecs } from "../../src/gen/lookout/codecs.js";
import { services } from "../../src/gen/lookout/services.ts";
import type { AnyCodec } from "./fuzz.ts";

const codecsByName: Readonly<Record<string, AnyCodec | undefined>> = codecs;

const strict = services
  .flatMap((service) => service.methods)
  .filter((method) => !getOption(method, methodJson).lenient)
  .map(({ input }) => input);

/** For each text of a message: JSON with U+0000 in that text, and the path that the error must name. */
function withNul(desc: DescMessage): { path: string; json: JsonValue }[] {
  return desc.fields.flatMap((field) => {
    const { jsonName: name } = field;
    if (field.fieldKind === "list")
      return valuesWithNul(field).map(({ path, json }) => ({ path: `${name}[0]${path}`, json: { [name]: [json] } }));
    if (field.fieldKind === "map")
      return valuesWithNul(field).map(({ path, json }) => ({
        path: `${name}.key${path}`,
        json: { [name]: { key: json } },
      }));
    return valuesWithNul(field).map(({ path, json }) => ({ path: `${name}${path}`, json: { [name]: json } }));
  });
}

function valuesWithNul(field: DescField): { path: string; json: JsonValue }[] {
  if (field.scalar === ScalarType.STRING) return [{ path: "", json: "text\u0000" }];
  if (field.message === undefined) return [];
  if (field.message.typeName === "google.protobuf.Struct") return [{ path: "", json: { key: ["\u0000"] } }];
  if (field.message.typeName.startsWith("google.protobuf.")) return [{ path: "", json: "text\u0000" }];
  return withNul(field.message).map(({ path, json }) => ({ path: `.${path}`, json }));
}

test("U+0000 in any text of any request, except a tracker's, is refused with the field's name", () => {
  const missed: string[] = [];
  let tried = 0;
  for (const desc of strict)
    for (const { path, json } of withNul(desc)) {
      const violations: Violation[] = [];
      codecsByName[desc.typeName]?.parse(structuredClone(json), violations);
      tried += 1;
      const isNamed = violations.some(({ field, message }) => field === path && message.includes("U+0000"));
      if (!isNamed) missed.push(`${desc.typeName} ${path}: ${JSON.stringify(violations)}`);
    }
  expect(missed).toEqual([]);
  expect(tried).toBeGreaterThan(150);
});
