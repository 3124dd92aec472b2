import { type DescField, getOption } from "@bufbuild/protobuf";
import type { StringRules } from "../../src/gen/buf/validate/validate_pb.ts";
import { field as fieldJson } from "../../src/gen/gateway/v1/json_pb.ts";
import { quote } from "./javascript.ts";
import { patternProblem } from "./pattern.ts";
import type { Rule } from "./rule.ts";

/**
 * Compiles the rules of a text; lengths are counted in code points, as in protobuf. `unknown` is called for rules that
 * cannot be compiled. Lengths come first: a pattern never runs on text that is too long.
 */
export function stringRules(
  rules: StringRules,
  names: readonly string[],
  field: DescField,
  unknown: (name: string) => void,
): readonly Rule[] {
  const maxLength = names.includes("max_len") ? Number(rules.maxLen) : undefined;
  const compiled = names.map((name): Omit<Rule, "rule"> | undefined => {
    switch (name) {
      case "min_len": {
        const least = Number(rules.minLen);
        const message = least === 1 ? "must not be empty" : `must be at least ${least} characters`;
        const long = (value: string) =>
          `${value}.length < ${least} || (${value}.length < ${2 * least} && codePoints(${value}) < ${least})`;
        return { broken: least === 1 ? (value) => `${value} === ""` : long, message, refusesZero: least > 0 };
      }
      case "max_len": {
        const broken = (value: string) => `${value}.length > ${rules.maxLen} && codePoints(${value}) > ${rules.maxLen}`;
        return { broken, message: `must be at most ${rules.maxLen} characters`, refusesZero: false };
      }
      case "pattern": {
        const problem = patternProblem(rules.pattern, maxLength);
        if (problem !== undefined) {
          unknown(`pattern ${problem}`);
          return undefined;
        }
        const literal = String(new RegExp(rules.pattern, "u"));
        const message = getOption(field, fieldJson).patternMessage;
        if (!message.startsWith("must ")) {
          unknown("pattern needs a (gateway.v1.field).pattern_message that begins with must");
          return undefined;
        }
        const refusesZero = !new RegExp(rules.pattern, "u").test("");
        return { broken: (value) => `!${literal}.test(${value})`, message, refusesZero };
      }
      case "in":
      case "const": {
        const allowed = name === "in" ? rules.in : [rules.const];
        const message = allowed.length === 1 ? `must be ${allowed[0]}` : `must be one of ${allowed.join(", ")}`;
        const broken = (value: string) => allowed.map((one) => `${value} !== ${quote(one)}`).join(" && ");
        return { broken, message, refusesZero: !allowed.includes(""), allowed };
      }
      case "prefix": {
        const broken = (value: string) => `!${value}.startsWith(${quote(rules.prefix)})`;
        return { broken, message: `must start with ${rules.prefix}`, refusesZero: rules.prefix !== "" };
      }
      case "uuid":
        return { broken: (value) => `!uuid.test(${value})`, message: "must be a UUID", refusesZero: true };
      default:
        unknown(name);
        return undefined;
    }
  });
  return compiled.flatMap((rule, index) => (rule === undefined ? [] : [{ ...rule, rule: `string.${names[index]}` }]));
}
