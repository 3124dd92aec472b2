import type { ErrorDetail } from "../errors/errors.ts";
import type { Violation } from "../gen/lookout/codecs.js";
import { nearest } from "../text/nearest.ts";
import { nearestDuration } from "../text/nearestDuration.ts";

/** More would only bury the first ones; a body can break thousands of rules. */
const maxDetails = 50;

/**
 * Broken rules as the details of an error. `prefixes` are the fields that the body was assigned to: the caller does not
 * know their names, so "query.parameters[0]" becomes "parameters[0]".
 */
export function violationDetails(
  violations: readonly Violation[],
  prefixes: readonly (string | undefined)[],
): ErrorDetail[] {
  return violations.slice(0, maxDetails).map((violation) => {
    const suggestion = suggestionFor(violation);
    return {
      field: withoutPrefix(violation.field, prefixes),
      message: messageOf(violation),
      ...(suggestion === undefined ? {} : { suggestion }),
    };
  });
}

/** With more known names a list of them helps less than a suggestion. */
const maxNames = 20;

function messageOf({ rule, message, allowed }: Violation): string {
  const isListed = rule === "unknown" && allowed !== undefined && allowed.length > 0 && allowed.length <= maxNames;
  return isListed ? `${message}; known are ${allowed.join(", ")}` : message;
}

/**
 * The nearest allowed value, if one is close; for an unknown name also one that contains it. Durations are compared by
 * their length.
 */
function suggestionFor({ rule, value, allowed }: Violation): string | undefined {
  if (allowed === undefined || typeof value !== "string") return undefined;
  const near = nearestDuration(value, allowed) ?? nearest(value, allowed);
  if (near !== undefined || rule !== "unknown" || value.length < 3) return near;
  return allowed.find((name) => name.toLowerCase().includes(value.toLowerCase()));
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
