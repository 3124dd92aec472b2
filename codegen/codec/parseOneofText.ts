import type { DescField, DescOneof } from "@bufbuild/protobuf";
import { getOption } from "@bufbuild/protobuf";
import { oneof as oneofRules } from "../../src/gen/buf/validate/validate_pb.ts";
import { type OneofJson, oneof as oneofJson } from "../../src/gen/gateway/v1/json_pb.ts";
import { identifier } from "../contract.ts";
import { absence, valueBranches } from "./fieldRules.ts";
import { block, chain, type Lines, member, quote, violate } from "./javascript.ts";
import { local, readValue, sourceOf } from "./readValueText.ts";
import type { RulesOf } from "./rules.ts";

/** Statements that read a oneof into `{ case, value }`. */
export function parseOneofText(oneof: DescOneof, rulesOf: RulesOf): Lines {
  const json = getOption(oneof, oneofJson);
  const required = getOption(oneof, oneofRules).required;
  const head = `let ${local(oneof)} = { case: undefined };`;
  return [head, ...(json.tag === "" ? plainText(oneof, required, rulesOf) : taggedText(oneof, json, required))];
}

/** The cases selected by a tag, by their names in JSON. */
export function taggedCases(oneof: DescOneof): readonly DescField[] {
  const { flat } = getOption(oneof, oneofJson);
  return oneof.fields.filter((field) => field.name !== flat);
}

function plainText(oneof: DescOneof, required: boolean, rulesOf: RulesOf): Lines {
  const lines: string[] = [];
  for (const field of oneof.fields) {
    const source = `${field.localName}$`;
    const path = quote(field.jsonName);
    const rules = rulesOf(field);
    const read = readValue(field, {
      source,
      path,
      refusesNul: rules.refusesNul,
      assign: (value) => `${local(oneof)}.value = ${value};`,
      branches: (value, pass) => valueBranches(field, rules, value, path, pass),
    });
    const second = violate(
      path,
      `must not be combined with another of ${oneof.fields.map((one) => one.jsonName).join(", ")}`,
      "oneof",
    );
    const missing = absence(field, rules, path);
    lines.push(
      `const ${source} = ${sourceOf(field)};`,
      ...chain(
        [
          {
            test: `${source} != null`,
            body: [
              `if (${local(oneof)}.case !== undefined) ${second}`,
              `${local(oneof)} = { case: ${quote(field.localName)}, value: undefined };`,
              ...read,
            ],
          },
        ],
        missing === undefined ? [] : [missing],
      ),
    );
  }
  if (required)
    lines.push(
      `if (${local(oneof)}.case === undefined) ${violate(quote(oneof.name), requiredText(oneof), "required")}`,
    );
  return lines;
}

/** The message when no case of a required oneof is set. */
export function requiredText(oneof: DescOneof): string {
  return `is required, one of ${taggedCases(oneof)
    .map((field) => field.jsonName)
    .join(", ")}`;
}

function taggedText(oneof: DescOneof, json: OneofJson, required: boolean): Lines {
  const flat = oneof.fields.find((field) => field.name === json.flat);
  const [tag, content] = [`${oneof.localName}_tag`, `${oneof.localName}_content`];
  const names = taggedCases(oneof).map((field) => field.jsonName);
  const cases = taggedCases(oneof).flatMap((field) =>
    block(`case ${quote(field.jsonName)}:`, [
      "const from = violations.length;",
      `${local(oneof)} = { case: ${quote(field.localName)}, value: parse_${messageOf(field)}(${content}, violations) };`,
      `if (violations.length !== from) under(violations, from, ${quote(json.content)});`,
      "break;",
    ]),
  );
  const missing = violate(quote(json.tag), requiredText(oneof), "required", { value: "undefined", allowed: names });
  const unknown = violate(quote(json.tag), `must be one of ${names.join(", ")}`, "oneof", {
    value: tag,
    allowed: names,
  });
  const absent =
    flat !== undefined
      ? [`${local(oneof)} = { case: ${quote(flat.localName)}, value: parse_${messageOf(flat)}(json, violations) };`]
      : [
          ...(required ? [`if (${tag} == null) ${missing}`] : []),
          `if (${tag} != null) ${violate(quote(json.content), "is required", "required")}`,
        ];
  return [
    `const ${tag} = ${member("json", json.tag)};`,
    `const ${content} = ${member("json", json.content)};`,
    ...chain(
      [{ test: `${content} == null`, body: absent }],
      block(`switch (${tag})`, [
        ...cases,
        "case undefined:",
        "case null:",
        `  ${missing}`,
        "  break;",
        "default:",
        `  ${unknown}`,
      ]),
    ),
  ];
}

/** The name of a field's message, of which parts of function names are made. */
export function messageOf(field: DescField): string {
  return field.message === undefined ? "" : identifier(field.message);
}
