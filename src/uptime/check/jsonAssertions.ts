import type { JsonValue } from "@bufbuild/protobuf";
import type { JsonAssertion } from "./checkTypes.ts";

/** A step into a JSON value: a member's name, or an index from 0, or from the end when negative. */
type Step = string | number;

/**
 * Parses a path such as `$.data.items[0]["a b"]`: the part of JSONPath (RFC 9535) that names a single value. Undefined
 * for any other text.
 */
export function readPath(text: string): Step[] | undefined {
  const part = /\.([A-Za-z_\u0080-\uffff][\w\u0080-\uffff-]*)|\[(-?\d{1,9})\]|\["([^"\\]*)"\]|\['([^'\\]*)'\]/y;
  const start = text.startsWith("$") ? 1 : 0;
  // "status" is accepted as "$.status".
  const path = start === 1 ? text : `.${text}`;
  const steps: Step[] = [];
  part.lastIndex = start;
  while (part.lastIndex < path.length) {
    const match = part.exec(path);
    if (match === null) return undefined;
    const [, member, index, doubleQuoted, singleQuoted] = match;
    steps.push(index === undefined ? (member ?? doubleQuoted ?? singleQuoted ?? "") : Number(index));
  }
  return steps;
}

/** A condition and whether a JSON answer fulfils it. */
export type AssertionOutcome = { readonly assertion: JsonAssertion; readonly holds: boolean; readonly found: string };

/**
 * How each of the assertions fares on an answer; undefined where it is not JSON. `found` is empty where there is
 * nothing.
 */
export function assertionOutcomes(text: string, assertions: readonly JsonAssertion[]): AssertionOutcome[] | undefined {
  let document: JsonValue;
  try {
    document = JSON.parse(text);
  } catch {
    return undefined;
  }
  return assertions.map((assertion) => {
    const found = valueAt(document, assertion.path);
    return { assertion, holds: holds(assertion, found), found: found === undefined ? "" : shown(found) };
  });
}

/** Why a JSON answer fails its assertions, for people; undefined when all hold. */
export function failedAssertion(outcomes: readonly AssertionOutcome[] | undefined): string | undefined {
  if (outcomes === undefined) return "the answer is not JSON";
  const failed = outcomes.find((outcome) => !outcome.holds);
  if (failed === undefined) return undefined;
  const { path, operator, value } = failed.assertion;
  const wanted = operator === "exists" ? "exist" : `be ${operator} ${JSON.stringify(value ?? null)}`;
  return `JSON assertion failed: ${path} must ${wanted}, found ${failed.found || "nothing"}`;
}

function holds({ operator, value = null }: JsonAssertion, found: JsonValue | undefined): boolean {
  switch (operator) {
    case "exists":
      return found !== undefined;
    case "eq":
      return found === value;
    case "ne":
      // A member that is not there is another answer than the one that was meant, not another value.
      return found !== undefined && found !== value;
    case "contains":
      return Array.isArray(found)
        ? found.some((item) => item === value)
        : typeof found === "string" && found.includes(String(value));
    default:
      return typeof found === "number" && typeof value === "number" && comparisons[operator](found, value);
  }
}

const comparisons = {
  gt: (found: number, value: number) => found > value,
  gte: (found: number, value: number) => found >= value,
  lt: (found: number, value: number) => found < value,
  lte: (found: number, value: number) => found <= value,
};

function valueAt(document: JsonValue, path: string): JsonValue | undefined {
  let value: JsonValue | undefined = document;
  for (const step of readPath(path) ?? []) {
    if (typeof step === "number") value = Array.isArray(value) ? value.at(step) : undefined;
    else if (step === "length" && (Array.isArray(value) || typeof value === "string")) value = value.length;
    else if (typeof value === "object" && value !== null && !Array.isArray(value) && Object.hasOwn(value, step))
      value = value[step];
    else return undefined;
  }
  return value;
}

/** Characters that JSON may have as they are, and that change how the rest of a line is shown: more controls, and those of direction. */
const hidden = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** Shortened, since the answer of a foreign server ends up in an incident. */
function shown(value: JsonValue): string {
  const text = JSON.stringify(value).replace(
    hidden,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
