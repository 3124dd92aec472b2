import { type ErrorDetail, validationError } from "../errors/errors.ts";
import { nearest } from "../text/nearest.ts";
import type { JsonObject, Tool } from "./tools/tool.ts";

/**
 * The arguments of a tool, without those that are null. Throws VALIDATION_ERROR for an unknown name, with the closest
 * known one, for a missing argument and for one of another type. What is in them is checked by the RPC that they go to.
 */
export function readArguments({ input }: Pick<Tool, "input">, given: JsonObject): JsonObject {
  const names = Object.keys(input.properties);
  const details: ErrorDetail[] = [];
  const read: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(given)) {
    const schema = Object.hasOwn(input.properties, field) ? input.properties[field] : undefined;
    if (schema === undefined) {
      const suggestion = nearest(field, names);
      details.push({
        field: field.slice(0, 100),
        message: `is unknown; known are ${names.join(", ") || "none"}`,
        ...(suggestion === undefined ? {} : { suggestion }),
      });
    } else if (value !== null) {
      const problem = problemOf(schema, value);
      if (problem !== undefined) details.push({ field, message: problem });
      read[field] = value;
    }
  }
  for (const field of input.required ?? [])
    if (read[field] === undefined)
      details.push({ field, message: `is required. ${String(input.properties[field]?.["description"] ?? "")}`.trim() });
  if (details.length > 0) throw validationError(details);
  return read;
}

function problemOf({ type, enum: allowed, minimum, maximum }: JsonObject, value: unknown): string | undefined {
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
  if (type === undefined || typeof value === type) return undefined;
  return type === "string" ? "must be a text" : `must be ${type === "object" ? "an" : "a"} ${String(type)}`;
}
