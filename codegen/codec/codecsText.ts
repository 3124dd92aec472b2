import type { DescEnum, DescField } from "@bufbuild/protobuf";
import { type Contract, identifier } from "../contract.ts";
import { checkText } from "./checkText.ts";
import { type Lines, quote } from "./javascript.ts";
import { parseText } from "./parseText.ts";
import { enumNumbers } from "./readValueText.ts";
import { type CompiledRules, compileAllRules, findMessageRules } from "./rules.ts";
import { runtimeText } from "./runtimeText.ts";
import { enumNames, writeText } from "./writeText.ts";

/** The text of codecs.js. Whatever cannot be compiled is added to `problems`; the text is then useless. */
export function codecsText(contract: Contract, problems: string[]): string {
  const rules = new Map<DescField, CompiledRules>();
  const enums = new Map<string, DescEnum>();
  for (const message of contract.messages) {
    findMessageRules(message, problems);
    for (const field of message.fields) {
      rules.set(field, compileAllRules(field, contract.strict.has(message), problems));
      if (field.enum !== undefined) enums.set(field.enum.typeName, field.enum);
    }
  }
  const rulesOf = (field: DescField): CompiledRules => {
    const compiled = rules.get(field);
    if (compiled === undefined) throw new Error(`${field} is not part of the contract`);
    return compiled;
  };
  const lines = contract.messages.flatMap((message) => {
    const raw = contract.eachItem.get(message.typeName);
    return [
      "",
      ...parseText(message, rulesOf, raw, contract.strict.has(message)),
      "",
      ...checkText(message, rulesOf, raw),
      "",
      ...writeText(message),
    ];
  });
  const table = contract.messages.map((message) => {
    const name = identifier(message);
    return `  ${quote(message.typeName)}: codec(parse_${name}, check_${name}, object_${name}),`;
  });
  return [
    ...runtimeText(),
    ...[...enums.values()].flatMap(enumText),
    ...lines,
    "",
    "export const codecs = {",
    ...table,
    "};",
    "",
  ].join("\n");
}

function enumText(desc: DescEnum): Lines {
  const names = desc.values.map((value) => `[${value.number}, ${quote(value.name)}]`).join(", ");
  const numbers = desc.values.map((value) => `[${quote(value.name)}, ${value.number}]`).join(", ");
  return [
    "",
    `const ${enumNames(desc)} = Object.fromEntries([${names}]);`,
    `const ${enumNumbers(desc)}_byName = new Map([${numbers}]);`,
    `const ${enumNumbers(desc)} = (json) => Number.isInteger(json) && json === (json | 0) ? json : ${enumNumbers(desc)}_byName.get(json);`,
  ];
}
