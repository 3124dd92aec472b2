import { type ErrorDetail, validationError } from "../errors/errors.ts";
import { nearest } from "../text/nearest.ts";
import { parseDate, timeZoneOf } from "../time/dates.ts";
import type { JsonObject, Tool } from "./tools/tool.ts";

/**
 * The arguments of a tool, without those that are null. An argument may have the name that the API gives it, such as
 * parameters for types. Throws VALIDATION_ERROR with all that is wrong: an unknown name, with the closest known one, a
 * missing argument and one of another type. What is in them is checked by the RPC that they go to.
 */
export function readArguments(
  { input, synonyms = {} }: Pick<Tool, "input" | "synonyms">,
  given: JsonObject,
): JsonObject {
  const names = Object.keys(input.properties);
  const details: ErrorDetail[] = [];
  const read: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(given)) {
    if (value === null) continue;
    const name = ownName(field, input.properties, synonyms);
    if (name === undefined) {
      const suggestion = nearest(field, names);
      details.push({
        field: field.slice(0, 100),
        message: `is unknown; known are ${names.join(", ") || "none"}`,
        ...(suggestion === undefined ? {} : { suggestion }),
      });
    } else if (name !== field && Object.hasOwn(given, name))
      details.push({ field, message: `means ${name}, which is given too; leave one of them out` });
    else {
      const problem = problemOf(input.properties[name] ?? {}, value);
      if (problem !== undefined) details.push({ field, message: problem });
      read[name] = value;
    }
  }
  for (const field of input.required ?? [])
    if (read[field] === undefined)
      details.push({ field, message: `is required. ${String(input.properties[field]?.["description"] ?? "")}`.trim() });
  if (details.length > 0) throw validationError(details);
  return read;
}

/** The tool's name for an argument: the same, the one that the API's name means, or the same in camel case. */
function ownName(
  field: string,
  properties: JsonObject,
  synonyms: Readonly<Record<string, string>>,
): string | undefined {
  const camel = field.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const candidates = [field, camel].flatMap((name) => [
    name,
    ...(Object.hasOwn(synonyms, name) ? [synonyms[name]] : []),
  ]);
  return candidates.find((name) => name !== undefined && Object.hasOwn(properties, name));
}

function problemOf({ type, format, enum: allowed, minimum, maximum }: JsonObject, value: unknown): string | undefined {
  if (Array.isArray(allowed) && !allowed.includes(value)) return `must be one of ${allowed.join(", ")}`;
  if (type === "integer") {
    const isIn =
      Number.isInteger(value) &&
      !(Number(value) < Number(minimum ?? value)) &&
      !(Number(value) > Number(maximum ?? value));
    const range =
      minimum === undefined ? "" : maximum === undefined ? ` of at least ${minimum}` : ` from ${minimum} to ${maximum}`;
    return isIn ? undefined : `must be a whole number${range}`;
  }
  if (type === "array") return Array.isArray(value) ? undefined : "must be a list";
  if (format === "date" && (typeof value !== "string" || !isDate(value)))
    return /^\d{4}-\d{2}-\d{2}$/.test(String(value))
      ? "is no day of the calendar"
      : "must be a day such as 2026-01-31, or a time such as 2026-01-31T09:30:00Z";
  if (type === undefined || typeof value === type) return undefined;
  return type === "string" ? "must be a text" : `must be ${type === "object" ? "an" : "a"} ${String(type)}`;
}

function isDate(text: string): boolean {
  const zone = timeZoneOf("UTC");
  return zone !== undefined && parseDate(text, "start", zone) !== undefined;
}
