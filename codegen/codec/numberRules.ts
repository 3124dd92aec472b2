import { ScalarType } from "@bufbuild/protobuf";
import type { Rule } from "./rule.ts";

type Bound = { readonly case: string | undefined; readonly value?: number | undefined };

/** What the rules of all number types that JSON can represent have in common. */
type NumberRules = {
  readonly greaterThan: Bound;
  readonly lessThan: Bound;
  readonly in: readonly number[];
  readonly const: number;
};

/** Compiles bounds, `in`, `const` and `finite` of a number; `unknown` is called for rules that cannot be compiled. */
export function numberRules(
  type: string,
  rules: NumberRules,
  names: readonly string[],
  unknown: (name: string) => void,
): readonly Rule[] {
  const whole = type !== "double" && type !== "float";
  const compiled: Rule[] = [];
  const { greaterThan: lower, lessThan: upper } = rules;
  if (lower.value !== undefined || upper.value !== undefined) {
    if (lower.value !== undefined && upper.value !== undefined && lower.value >= upper.value)
      unknown("bounds that exclude a range");
    const tests: string[] = [];
    if (lower.value !== undefined) tests.push(`${lower.case === "gt" ? ">" : ">="} ${lower.value}`);
    if (upper.value !== undefined) tests.push(`${upper.case === "lt" ? "<" : "<="} ${upper.value}`);
    const zeroLow = lower.value !== undefined && (lower.case === "gt" ? lower.value >= 0 : lower.value > 0);
    const zeroHigh = upper.value !== undefined && (upper.case === "lt" ? upper.value <= 0 : upper.value < 0);
    compiled.push({
      // Negated as a whole, so that NaN breaks it.
      broken: (value) => `!(${tests.map((test) => `${value} ${test}`).join(" && ")})`,
      message: `must be ${rangeText(whole ? "a whole number" : "a number", lower, upper)}`,
      rule: `${type}.${[lower.case, upper.case].filter((name) => name !== undefined).join("_")}`,
      refusesZero: zeroLow || zeroHigh,
    });
  }
  for (const name of names) {
    if (name === "in" || name === "const") {
      const allowed = name === "in" ? rules.in : [rules.const];
      compiled.push({
        broken: (value) => allowed.map((one) => `${value} !== ${one}`).join(" && "),
        message: allowed.length === 1 ? `must be ${allowed[0]}` : `must be one of ${allowed.join(", ")}`,
        rule: `${type}.${name}`,
        refusesZero: !allowed.includes(0),
        allowed: allowed.map(String),
      });
    } else if (!["gt", "gte", "lt", "lte", "finite"].includes(name)) unknown(name);
  }
  return compiled;
}

/** The minimum and maximum of a 32-bit integer type, or undefined for other types. */
export function integerRange(type: ScalarType): readonly [number, number] | undefined {
  switch (type) {
    case ScalarType.INT32:
    case ScalarType.SINT32:
    case ScalarType.SFIXED32:
      return [-2147483648, 2147483647];
    case ScalarType.UINT32:
    case ScalarType.FIXED32:
      return [0, 4294967295];
    default:
      return undefined;
  }
}

function rangeText(noun: string, lower: Bound, upper: Bound): string {
  if (lower.case === "gte" && upper.case === "lte") return `${noun} from ${lower.value} to ${upper.value}`;
  const words: Record<string, string> = { gte: "of at least", lte: "of at most", gt: "greater than", lt: "less than" };
  const parts = [lower, upper]
    .filter((bound) => bound.case !== undefined)
    .map((bound) => `${words[bound.case ?? ""]} ${bound.value}`);
  return `${noun} ${parts.join(" and ")}`;
}
