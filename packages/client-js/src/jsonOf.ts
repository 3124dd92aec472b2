import type { JsonValue } from "@bufbuild/protobuf";
import type { LookoutErrorDetail } from "./lookoutError.ts";

/** Deeper values are taken for objects that contain themselves. */
const mostLevels = 100;

/** What to pass instead, where the language has a way. JSON.stringify makes an empty object of these. */
const insteadOf: Readonly<Record<string, string>> = {
  Map: ": pass Object.fromEntries(map)",
  Set: ": pass [...set]",
  Promise: ": await it first",
};

/**
 * A value as JSON.stringify writes it: without members that are undefined, and with the texts of Dates. What JSON does not have, such as NaN or a Map, is
 * added to `problems`, by its place. `path` is where the value stands.
 */
export function jsonOf(value: unknown, path: string, problems: LookoutErrorDetail[], level = 0): JsonValue {
  const refuse = (message: string) => {
    problems.push({ field: path, message });
    return null;
  };
  if (value === undefined || value === null || typeof value === "string" || typeof value === "boolean")
    return value ?? null;
  if (typeof value === "number")
    return Number.isFinite(value) ? value : refuse(`must be a value of JSON, not ${shown(value)}`);
  if (typeof value !== "object") return refuse(`must be a value of JSON, not a ${typeof value}`);
  if (level > mostLevels) return refuse("is nested too deeply");
  if (value instanceof Date && Number.isNaN(value.getTime())) return refuse("is an invalid Date");
  if ("toJSON" in value && typeof value.toJSON === "function") return jsonOf(value.toJSON(), path, problems, level + 1);
  if (Array.isArray(value)) return value.map((item, index) => jsonOf(item, `${path}[${index}]`, problems, level + 1));
  const kind = Object.prototype.toString.call(value).slice("[object ".length, -1);
  if (kind !== "Object") return refuse(`must be a value of JSON, not an instance of ${kind}${insteadOf[kind] ?? ""}`);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(
    members.map(([name, member]) => [name, jsonOf(member, memberPath(path, name), problems, level + 1)]),
  );
}

/** Where a member stands: `properties.plan`. */
export function memberPath(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

/** A value in a message of an error. */
export function shown(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}
