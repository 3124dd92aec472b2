import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { getOption, isFieldSet, ScalarType } from "@bufbuild/protobuf";
import {
  type FieldRules,
  field as fieldOption,
  Ignore,
  MapRulesSchema,
  message as messageOption,
  RepeatedRulesSchema,
} from "../../src/gen/buf/validate/validate_pb.ts";
import type { Rule } from "./rule.ts";
import { setRuleNames, valueRules } from "./valueRules.ts";

/** How many items or pairs a list or map may have, and whether items must be unique. */
export type Size = { readonly min: number; readonly max: number | undefined; readonly unique: boolean };

/** The compiled rules of a field. */
export type CompiledRules = {
  readonly required: boolean;
  /** An empty value is not validated. */
  readonly skipsZero: boolean;
  /** Rules of the value, or of each item of a list or map; the first broken one is reported. */
  readonly values: readonly Rule[];
  readonly size: Size;
  /** Whether texts in the value must not contain U+0000, which PostgreSQL cannot store. */
  readonly refusesNul: boolean;
};

/** The compiled rules of every field. */
export type RulesOf = (field: DescField) => CompiledRules;

const anySize: Size = { min: 0, max: undefined, unique: false };

export const nulMessage = "must not hold the character U+0000";

const nulRule: Rule = {
  broken: (value) => `${value}.includes("\\u0000")`,
  message: nulMessage,
  rule: "string.nul",
  refusesZero: false,
};

/** The rules of a field, and that none of its texts may contain U+0000 when its message `isStrict`. */
export function compileAllRules(field: DescField, isStrict: boolean, problems: string[]): CompiledRules {
  const rules = compileRules(field, problems);
  if (!isStrict) return rules;
  const isText = field.scalar === ScalarType.STRING;
  return { ...rules, refusesNul: true, values: isText ? [nulRule, ...rules.values] : rules.values };
}

/** Compiles the buf.validate rules of a field. Whatever cannot be compiled is added to `problems`. */
export function compileRules(field: DescField, problems: string[]): CompiledRules {
  const rules = getOption(field, fieldOption);
  const common = { required: rules.required, skipsZero: rules.ignore === Ignore.IF_ZERO_VALUE, refusesNul: false };
  findCel(rules, field, problems);
  if (rules.ignore === Ignore.ALWAYS) {
    // Reading a message validates it, wherever it is.
    if (field.message !== undefined) problems.push(`${field}: IGNORE_ALWAYS of a message`);
    return { required: false, skipsZero: false, values: [], size: anySize, refusesNul: false };
  }
  if (rules.type.case === "repeated") {
    const { value } = rules.type;
    findUnknown(rules, ["min_items", "max_items", "unique", "items"], field, problems);
    if (value.unique && (field.scalar === undefined || field.scalar === ScalarType.BYTES))
      problems.push(`${field}: unique of this type`);
    const max = isFieldSet(value, RepeatedRulesSchema.field.maxItems) ? Number(value.maxItems) : undefined;
    return {
      ...common,
      values: itemRules(value.items, field, problems),
      size: { min: Number(value.minItems), max, unique: value.unique },
    };
  }
  if (rules.type.case === "map") {
    const { value } = rules.type;
    findUnknown(rules, ["min_pairs", "max_pairs", "values"], field, problems);
    const max = isFieldSet(value, MapRulesSchema.field.maxPairs) ? Number(value.maxPairs) : undefined;
    return {
      ...common,
      values: itemRules(value.values, field, problems),
      size: { min: Number(value.minPairs), max, unique: false },
    };
  }
  return { ...common, values: valueRules(rules, field, problems), size: anySize };
}

/** Adds the rules of a message as a whole, which cannot be compiled, to `problems`. */
export function findMessageRules(message: DescMessage, problems: string[]): void {
  const rules = getOption(message, messageOption);
  if (rules.cel.length > 0) problems.push(`${message}: cel`);
  if (rules.oneof.length > 0) problems.push(`${message}: (buf.validate.message).oneof`);
}

function itemRules(rules: FieldRules | undefined, field: DescField, problems: string[]): readonly Rule[] {
  if (rules === undefined) return [];
  findCel(rules, field, problems);
  if (rules.required || rules.ignore !== Ignore.UNSPECIFIED) problems.push(`${field}: required or ignore of items`);
  return valueRules(rules, field, problems);
}

function findCel(rules: FieldRules, field: DescField, problems: string[]): void {
  if (rules.cel.length > 0) problems.push(`${field}: cel`);
}

function findUnknown(rules: FieldRules, known: readonly string[], field: DescField, problems: string[]): void {
  for (const name of setRuleNames(rules)) {
    if (!known.includes(name)) problems.push(`${field}: ${rules.type.case}.${name}`);
  }
}
