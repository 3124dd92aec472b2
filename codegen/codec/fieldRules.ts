import type { DescField } from "@bufbuild/protobuf";
import { ScalarType } from "@bufbuild/protobuf";
import { hasPresence } from "../contract.ts";
import { type Lines, violate } from "./javascript.ts";
import type { Rule } from "./rule.ts";
import type { CompiledRules } from "./rules.ts";

export type Branch = { test: string; body: Lines };

/** The JavaScript text of a field's zero value. */
export function zeroText(field: DescField): string {
  if (field.fieldKind === "list") return "[]";
  if (field.fieldKind === "map") return "{}";
  if (hasPresence(field)) return "undefined";
  if (field.enum !== undefined) return String(field.enum.values[0]?.number ?? 0);
  if (field.scalar === ScalarType.STRING) return '""';
  if (field.scalar === ScalarType.BOOL) return "false";
  return field.scalar === ScalarType.BYTES ? "new Uint8Array(0)" : "0";
}

/** A condition that holds when a value without presence is its zero value. */
function isZero(field: DescField, value: string): string {
  return field.scalar === ScalarType.BYTES ? `${value}.length === 0` : `${value} === ${zeroText(field)}`;
}

/** What is recorded when a singular field is unset or, without presence, zero; undefined when that breaks no rule. */
export function absence(field: DescField, rules: CompiledRules, path: string): string | undefined {
  if (rules.required) return violate(path, "is required", "required");
  if (hasPresence(field) || rules.skipsZero || field.fieldKind === "list" || field.fieldKind === "map")
    return undefined;
  const broken = rules.values.find((rule) => rule.refusesZero);
  if (broken === undefined) return undefined;
  if (field.scalar !== ScalarType.STRING) return violateRule(broken, path, zeroText(field));
  if (broken.allowed === undefined) return violate(path, "is required", broken.rule);
  return violate(path, `is required, one of ${broken.allowed.join(", ")}`, broken.rule, {
    value: '""',
    allowed: broken.allowed,
  });
}

/** The branches that record the first broken rule of a present singular value. */
export function valueBranches(
  field: DescField,
  rules: CompiledRules,
  value: string,
  path: string,
  pass: Lines,
): readonly Branch[] {
  const branches: Branch[] = [];
  if (!hasPresence(field) && field.fieldKind !== "list" && field.fieldKind !== "map") {
    const missing = absence(field, rules, path);
    if (missing !== undefined) branches.push({ test: isZero(field, value), body: [missing] });
    else if (rules.skipsZero && rules.values.length > 0) branches.push({ test: isZero(field, value), body: pass });
  }
  const tested = branches.map((branch) => branch.test);
  return [...branches, ...ruleBranches(rules.values, value, path).filter((branch) => !tested.includes(branch.test))];
}

/** The branches that record the first broken rule of a value or item. */
export function ruleBranches(rules: readonly Rule[], value: string, path: string): readonly Branch[] {
  return rules.map((rule) => ({ test: rule.broken(value), body: [violateRule(rule, path, value)] }));
}

/**
 * The branches for the size of a list or map: `tooMany`, after which items are not read, and `others`. `length` and
 * `repeated` are expressions: the number of items, and whether one occurs twice.
 */
export function sizeBranches(field: DescField, rules: CompiledRules, length: string, repeated: string, path: string) {
  const { min, max, unique } = rules.size;
  const isList = field.fieldKind === "list";
  const count = (number: number): string => `${number} ${isList ? "item" : "pair"}${number === 1 ? "" : "s"}`;
  const branch = (test: string, message: string, rule: string): Branch => ({
    test,
    body: [violate(path, message, rule)],
  });
  const [least, most] = isList ? ["repeated.min_items", "repeated.max_items"] : ["map.min_pairs", "map.max_pairs"];
  const tooMany = max === undefined ? [] : [branch(`${length} > ${max}`, `must have at most ${count(max)}`, most)];
  const others: Branch[] = [];
  if (rules.required) others.push(branch(`${length} === 0`, "is required", "required"));
  const given = rules.skipsZero ? `${length} > 0 && ` : "";
  if (min > 0) others.push(branch(`${given}${length} < ${min}`, `must have at least ${count(min)}`, least));
  if (unique) others.push(branch(repeated, "must not have an item twice", "repeated.unique"));
  return { tooMany, others };
}

function violateRule(rule: Rule, path: string, value: string): string {
  return violate(path, rule.message, rule.rule, { value, allowed: rule.allowed });
}
