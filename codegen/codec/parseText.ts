import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { getOption } from "@bufbuild/protobuf";
import { message as messageJson, oneof as oneofJson } from "../../src/gen/gateway/v1/json_pb.ts";
import { identifier, namesOf, valueType } from "../contract.ts";
import { absence, ruleBranches, sizeBranches, valueBranches, zeroText } from "./fieldRules.ts";
import { block, chain, type Lines, quote, violate } from "./javascript.ts";
import { parseOneofText } from "./parseOneofText.ts";
import { local, readValue, sourceOf, type ValueSite } from "./readValueText.ts";
import type { CompiledRules, RulesOf } from "./rules.ts";

/**
 * The function that reads a message from JSON and validates it. What it returns means nothing when it recorded violations.
 * `raw` is a list whose items are left as they came. If the message `isStrict`, unknown members are refused.
 */
export function parseText(
  message: DescMessage,
  rulesOf: RulesOf,
  raw: DescField | undefined,
  isStrict: boolean,
): Lines {
  const shorthand = message.fields.find((field) => field.name === getOption(message, messageJson).shorthand);
  const members = message.members.map((one) =>
    one.kind === "oneof" ? parseOneofText(one, rulesOf) : fieldText(one, rulesOf(one), one === raw),
  );
  const shape = [
    `$typeName: ${quote(message.typeName)}`,
    ...message.members.map((one) => `${one.localName}: ${local(one)}`),
  ];
  const members$ = isStrict ? memberNames(message) : undefined;
  const known = `members_${identifier(message)}`;
  const read = block(`function parse_${identifier(message)}(json, violations)`, [
    ...(shorthand === undefined
      ? []
      : [`if (typeof json === "string") json = { ${quote(shorthand.jsonName)}: json };`]),
    ...block("if (!isObject(json))", [
      violate('""', shorthand === undefined ? "must be an object" : "must be a string or an object", "type"),
      "return undefined;",
    ]),
    ...(members$ === undefined ? [] : [`refuseOthers(json, ${known}, violations);`]),
    ...members.flat(),
    `return { ${shape.join(", ")} };`,
  ]);
  return members$ === undefined
    ? read
    : [`const ${known} = namesOf(${JSON.stringify(members$.suggested)}, ${JSON.stringify(members$.others)});`, ...read];
}

/** The members that an object may have: those that are suggested, and their other names with the names that are read before. */
type MemberNames = {
  readonly suggested: readonly string[];
  readonly others: Readonly<Record<string, readonly string[]>>;
};

/** The members that a message's object may have. Undefined if a oneof reads all of it. */
function memberNames(message: DescMessage): MemberNames | undefined {
  const tagged = message.oneofs.map((one) => getOption(one, oneofJson)).filter(({ tag }) => tag !== "");
  if (tagged.some(({ flat }) => flat !== "")) return undefined;
  const fields = message.fields.filter(({ oneof }) => oneof === undefined || getOption(oneof, oneofJson).tag === "");
  const suggested = [...fields.map((field) => field.jsonName), ...tagged.flatMap(({ tag, content }) => [tag, content])];
  const others = fields.flatMap((field) => {
    const names = namesOf(field);
    return names.slice(1).map((name, index): [string, readonly string[]] => [name, names.slice(0, index + 1)]);
  });
  return { suggested, others: Object.fromEntries(others) };
}

function fieldText(field: DescField, rules: CompiledRules, isRaw: boolean): Lines {
  const path = quote(field.jsonName);
  const source = `${field.localName}$`;
  const head = [`let ${local(field)} = ${zeroText(field)};`, `const ${source} = ${sourceOf(field)};`];
  if (field.fieldKind === "list") return [...head, ...listText(field, rules, isRaw, source, path)];
  if (field.fieldKind === "map") return [...head, ...mapText(field, rules, source, path)];
  const read = readValue(field, {
    source,
    path,
    refusesNul: rules.refusesNul,
    assign: (value) => `${local(field)} = ${value};`,
    branches: (value, pass) => valueBranches(field, rules, value, path, pass),
  });
  const missing = absence(field, rules, path);
  const nullCounts = field.message?.typeName === valueType && !rules.required;
  const present = nullCounts ? `${source} !== undefined` : `${source} != null`;
  return [...head, ...chain([{ test: present, body: read }], missing === undefined ? [] : [missing])];
}

function listText(field: DescField, rules: CompiledRules, isRaw: boolean, source: string, path: string): Lines {
  const list = `${local(field)}list`;
  const repeated = `new Set(${list}).size !== ${list}.length`;
  const { tooMany, others } = sizeBranches(field, rules, `${list}.length`, repeated, path);
  const item = readValue(
    field,
    itemSite(rules, `${path} + "[" + i + "]"`, (value) => `${local(field)}.push(${value});`),
  );
  const loop = isRaw
    ? [`${local(field)} = ${list};`]
    : [
        "const before = violations.length;",
        ...block(`for (let i = 0; i < ${list}.length && violations.length - before < maxFaults; i++)`, [
          `const item = ${list}[i];`,
          ...item,
        ]),
      ];
  return chain(
    [{ test: `${source} != null && !Array.isArray(${source})`, body: [violate(path, "must be an array", "type")] }],
    [`const ${list} = ${source} ?? [];`, ...chain(tooMany, [...chain(others), ...loop])],
  );
}

function mapText(field: DescField, rules: CompiledRules, source: string, path: string): Lines {
  const { tooMany, others } = sizeBranches(field, rules, "keys.length", "", path);
  const item = readValue(
    field,
    itemSite(rules, `${path} + "." + key`, (value) => `put(${local(field)}, key, ${value});`),
  );
  return chain(
    [{ test: `${source} != null && !isObject(${source})`, body: [violate(path, "must be an object", "type")] }],
    [
      `const keys = Object.keys(${source} ?? {});`,
      "const before = violations.length;",
      ...chain(tooMany, [
        ...chain(others),
        ...block("for (const key of keys)", [
          "if (violations.length - before >= maxFaults) break;",
          `const item = ${source}[key];`,
          ...item,
        ]),
      ]),
    ],
  );
}

function itemSite(rules: CompiledRules, path: string, assign: (value: string) => string): ValueSite {
  const { refusesNul } = rules;
  return { source: "item", path, refusesNul, assign, branches: (value) => ruleBranches(rules.values, value, path) };
}
