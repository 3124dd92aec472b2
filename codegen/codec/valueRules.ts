import type { DescField } from "@bufbuild/protobuf";
import { isFieldSet } from "@bufbuild/protobuf";
import { type FieldRules, FieldRulesSchema } from "../../src/gen/buf/validate/validate_pb.ts";
import { numberRules } from "./numberRules.ts";
import type { Rule } from "./rule.ts";
import { stringRules } from "./stringRules.ts";

/**
 * Compiles the rules of one value, the field's own or an item's. Whatever cannot be compiled is added to `problems`.
 */
export function valueRules(rules: FieldRules, field: DescField, problems: string[]): readonly Rule[] {
  const unknown = (name: string): void => void problems.push(`${field}: ${rules.type.case}.${name}`);
  const names = setRuleNames(rules);
  switch (rules.type.case) {
    case undefined:
      return [];
    case "string":
      return stringRules(rules.type.value, names, field, unknown);
    case "double":
    case "float":
    case "int32":
    case "uint32":
    case "sint32":
    case "fixed32":
    case "sfixed32":
      return numberRules(rules.type.case, rules.type.value, names, unknown);
    case "enum": {
      const numbers = field.enum?.values.map((value) => value.number) ?? [];
      for (const name of names) if (name !== "defined_only") unknown(name);
      if (!rules.type.value.definedOnly) return [];
      const message = `must be one of ${field.enum?.values.map((value) => value.name).join(", ")}`;
      const broken = (value: string) => numbers.map((number) => `${value} !== ${number}`).join(" && ");
      return [{ broken, message, rule: "enum.defined_only", refusesZero: false }];
    }
    case "bool": {
      const wanted = rules.type.value.const;
      for (const name of names) if (name !== "const") unknown(name);
      if (!names.includes("const")) return [];
      return [
        {
          broken: (value) => `${value} !== ${wanted}`,
          message: `must be ${wanted}`,
          rule: "bool.const",
          refusesZero: wanted,
        },
      ];
    }
    default:
      for (const name of names) unknown(name);
      return [];
  }
}

/** Proto names of the rules that are set, in the order of validate.proto; unknown extensions by their number. */
export function setRuleNames(rules: FieldRules): readonly string[] {
  const value = rules.type.value;
  const desc = FieldRulesSchema.fields.find((field) => field.localName === rules.type.case)?.message;
  if (value === undefined || desc === undefined) return [];
  const set = desc.fields
    .filter((field) => field.name !== "example" && isFieldSet(value, field))
    .map((field) => field.name);
  return [...set, ...(value.$unknown ?? []).map((unknown) => `extension ${unknown.no}`)];
}
