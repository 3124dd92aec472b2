import type { DescField, DescMessage, DescOneof } from "@bufbuild/protobuf";
import { getOption, ScalarType } from "@bufbuild/protobuf";
import { oneof as oneofRules } from "../../src/gen/buf/validate/validate_pb.ts";
import { oneof as oneofJson } from "../../src/gen/gateway/v1/json_pb.ts";
import { hasPresence, identifier, isWellKnown } from "../contract.ts";
import { absence, type Branch, ruleBranches, sizeBranches, valueBranches } from "./fieldRules.ts";
import { block, chain, type Lines, quote, violate } from "./javascript.ts";
import { messageOf, requiredText, taggedCases } from "./parseOneofText.ts";
import { type CompiledRules, nulMessage, type RulesOf } from "./rules.ts";
import { messageJson } from "./writeText.ts";

/**
 * The function that validates a message that did not come from JSON. `raw` is a list whose items are not read. Numbers that
 * JSON cannot carry (NaN, infinities) are refused, although protovalidate accepts them in fields without rules.
 */
export function checkText(message: DescMessage, rulesOf: RulesOf, raw: DescField | undefined): Lines {
  const members = message.members.flatMap((one) =>
    one.kind === "oneof" ? oneofText(one, rulesOf) : fieldText(one, rulesOf(one), one === raw),
  );
  return block(`function check_${identifier(message)}(message, violations)`, members);
}

function fieldText(field: DescField, rules: CompiledRules, isRaw: boolean): Lines {
  const path = quote(field.jsonName);
  const value = `message.${field.localName}`;
  if (field.fieldKind === "list") {
    const [length, repeated] = [`${value}.length`, `new Set(${value}).size !== ${value}.length`];
    const item = isRaw ? [] : itemText(field, rules, "item", `${path} + "[" + i + "]"`);
    const loop = block(`for (let i = 0; i < ${length}; i++)`, [`const item = ${value}[i];`, ...item]);
    return itemsText(sizeBranches(field, rules, length, repeated, path), item.length === 0 ? [] : loop);
  }
  if (field.fieldKind === "map") {
    const item = itemText(field, rules, "item", `${path} + "." + key`);
    const loop = block(`for (const key of Object.keys(${value}))`, [`const item = ${value}[key];`, ...item]);
    const size = sizeBranches(field, rules, `Object.keys(${value}).length`, "", path);
    return itemsText(size, item.length === 0 ? [] : loop);
  }
  const missing = absence(field, rules, path);
  if (!hasPresence(field))
    return chain([...finiteBranches(field, value, path), ...valueBranches(field, rules, value, path, [])]);
  const present = presentText(field, rules, value, path);
  const absent: Branch[] = missing === undefined ? [] : [{ test: `${value} === undefined`, body: [missing] }];
  if (present.length === 0) return chain(absent);
  return absent.length > 0 ? chain(absent, present) : chain([{ test: `${value} !== undefined`, body: present }]);
}

function itemsText({ tooMany, others }: ReturnType<typeof sizeBranches>, loop: Lines): Lines {
  return chain(tooMany, [...chain(others), ...loop]);
}

function presentText(field: DescField, rules: CompiledRules, value: string, path: string): Lines {
  if (field.message !== undefined) return nestedText(field.message, rules, value, path);
  return chain([...finiteBranches(field, value, path), ...valueBranches(field, rules, value, path, [])]);
}

function itemText(field: DescField, rules: CompiledRules, value: string, path: string): Lines {
  if (field.message !== undefined) return nestedText(field.message, rules, value, path);
  return chain([...finiteBranches(field, value, path), ...ruleBranches(rules.values, value, path)]);
}

function nestedText(message: DescMessage, { refusesNul }: CompiledRules, value: string, path: string): Lines {
  if (isWellKnown(message))
    return refusesNul
      ? chain([{ test: `holdsNul(${messageJson(message, value)})`, body: [violate(path, nulMessage, "string.nul")] }])
      : [];
  return [
    "const from = violations.length;",
    `check_${identifier(message)}(${value}, violations);`,
    `if (violations.length !== from) under(violations, from, ${path});`,
  ];
}

function finiteBranches(field: DescField, value: string, path: string): readonly Branch[] {
  if (field.scalar !== ScalarType.DOUBLE && field.scalar !== ScalarType.FLOAT) return [];
  return [{ test: `!Number.isFinite(${value})`, body: [violate(path, "must be a number", "type")] }];
}

function oneofText(oneof: DescOneof, rulesOf: RulesOf): Lines {
  const json = getOption(oneof, oneofJson);
  const value = `message.${oneof.localName}`;
  const lines: string[] = [];
  const cases = oneof.fields.flatMap((field) => {
    const path = quote(json.tag === "" ? field.jsonName : json.content);
    const flat = json.flat === field.name && field.message !== undefined;
    const body = flat
      ? [`check_${messageOf(field)}(${value}.value, violations);`]
      : presentText(field, rulesOf(field), `${value}.value`, path);
    return block(`case ${quote(field.localName)}:`, [...body, "break;"]);
  });
  if (getOption(oneof, oneofRules).required) {
    const more =
      json.tag === "" ? {} : { value: "undefined", allowed: taggedCases(oneof).map((field) => field.jsonName) };
    cases.push(
      "default:",
      `  ${violate(quote(json.tag === "" ? oneof.name : json.tag), requiredText(oneof), "required", more)}`,
    );
  }
  lines.push(...block(`switch (${value}.case)`, cases));
  for (const field of oneof.fields) {
    const missing = absence(field, rulesOf(field), quote(field.jsonName));
    if (missing !== undefined) lines.push(`if (${value}.case !== ${quote(field.localName)}) ${missing}`);
  }
  return lines;
}
