import type { ErrorDetail } from "../errors.ts";
import { nearest } from "../nearest.ts";
import { nearestDuration } from "../nearestDuration.ts";
import type { Violation } from "./violation.ts";

/** More would only hide the first ones; a body can break thousands of rules. */
const maxDetails = 50;

/**
 * Broken rules as the details of an error. `prefixes` are the fields that the body went into: their names are not the caller's, so
 * "query.parameters[0]" becomes "parameters[0]".
 */
export function violationDetails(
  violations: readonly Violation[],
  prefixes: readonly (string | undefined)[],
): ErrorDetail[] {
  return violations.slice(0, maxDetails).map((violation) => {
    const suggestion = suggestionFor(violation);
    return {
      field: withoutPrefix(violation.field, prefixes),
      message: violation.message,
      ...(suggestion === undefined ? {} : { suggestion }),
    };
  });
}

/** The nearest allowed value, when something near was sent. Durations are compared by their length. */
export function suggestionFor({ value, allowed }: Violation): string | undefined {
  if (allowed === undefined || typeof value !== "string") return undefined;
  return nearestDuration(value, allowed) ?? nearest(value, allowed);
}

function withoutPrefix(field: string, prefixes: readonly (string | undefined)[]): string {
  for (const prefix of prefixes) {
    if (prefix === undefined || prefix === "*" || !field.startsWith(prefix)) continue;
    const rest = field.slice(prefix.length);
    if (rest === "" || rest.startsWith("[")) return rest;
    if (rest.startsWith(".")) return rest.slice(1);
  }
  return field;
}
