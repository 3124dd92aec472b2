/**
 * The functions that generated codecs call. Their text, without types, is copied into the generated file
 * (runtimeText.ts), so they use nothing but each other and the imports that codecsText.ts writes.
 */
import type { Violation } from "../../src/gen/lookout/codecs.js";

type Value = { $typeName: "google.protobuf.Value"; kind: { case: string | undefined; value?: unknown } };
type ValueInit = { kind?: { case?: string; value?: unknown } };

export function violate(
  violations: Violation[],
  field: string,
  message: string,
  rule: string,
  value?: unknown,
  allowed?: readonly string[],
): void {
  violations.push(allowed === undefined ? { field, message, rule } : { field, message, rule, value, allowed });
}

/** Prefixes the paths of the violations from index `from` on. */
export function under(violations: Violation[], from: number, path: string): void {
  for (const violation of violations.slice(from)) {
    const separator = violation.field === "" || violation.field.startsWith("[") ? "" : ".";
    violation.field = `${path}${separator}${violation.field}`;
  }
}

/** Length in code points; a lone surrogate counts as one. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** Decodes base64 text, standard or URL-safe; undefined for anything else. */
export function fromBase64(json: unknown): Uint8Array | undefined {
  if (typeof json !== "string" || !/^[A-Za-z0-9+/_-]*={0,2}$/.test(json)) return undefined;
  const characters = json.replace(/=+$/, "").length;
  if (characters % 4 === 1) return undefined;
  return new Uint8Array(Buffer.from(json, "base64"));
}

export function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}

export function isObject(json: unknown): json is Record<string, unknown> {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}

/** Any JSON as text. */
export function textOf(json: unknown): string {
  return (typeof json === "string" ? json : JSON.stringify(json)).toWellFormed();
}

/** Sets an own member, even if it is named __proto__. */
export function put(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === "__proto__")
    Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
  else target[key] = value;
}

/**
 * The names that an object's members may have: those that are suggested for an unknown one, and other names of the same
 * fields, each with the names that are read before it.
 */
export type Names = {
  readonly suggested: readonly string[];
  readonly known: ReadonlySet<string>;
  readonly others: ReadonlyMap<string, readonly string[]>;
};

export function namesOf(suggested: readonly string[], others: Readonly<Record<string, readonly string[]>>): Names {
  return { suggested, known: new Set(suggested), others: new Map(Object.entries(others)) };
}

/** Records the members of an object that are not in `names`, at most ten, and those that contradict another name of their field. */
export function refuseOthers(json: Record<string, unknown>, names: Names, violations: Violation[]): void {
  let left = 10;
  for (const name of Object.keys(json)) {
    if (names.known.has(name)) continue;
    const before = names.others.get(name);
    if (before !== undefined) {
      const first = before.find((each) => json[each] != null && isOther(json[each], json[name]));
      if (first !== undefined)
        violate(violations, name, `differs from ${first}, another name of the same field. Send one of them`, "alias");
      continue;
    }
    violate(violations, name.slice(0, 100), "is unknown", "unknown", name, names.suggested);
    left -= 1;
    if (left === 0) return;
  }
}

/** Whether two values for one field differ; null is none. */
export function isOther(first: unknown, second: unknown): boolean {
  if (second == null || first === second) return false;
  return typeof first !== "object" || JSON.stringify(first) !== JSON.stringify(second);
}

/** Why free JSON cannot be stored, or "". protobuf's limit on depth is 100; JSON.parse reads 1e999 as Infinity. */
export function flawOf(json: unknown, depth: number, refusesNul: boolean): string {
  if (typeof json === "number") return Number.isFinite(json) ? "" : "must not hold a number that is too large";
  if (typeof json === "string") {
    if (refusesNul && json.includes("\u0000")) return "must not hold the character U+0000";
    return json.isWellFormed() ? "" : "must be valid Unicode";
  }
  if (typeof json !== "object" || json === null) return "";
  if (depth >= 90) return "must not be nested deeper than 90 levels";
  if (refusesNul && !Array.isArray(json) && Object.keys(json).some((key) => key.includes("\u0000")))
    return "must not hold the character U+0000";
  for (const item of Array.isArray(json) ? json : Object.values(json)) {
    const flaw = flawOf(item, depth + 1, refusesNul);
    if (flaw !== "") return flaw;
  }
  return "";
}

/** Whether a text in free JSON, including keys, contains U+0000. */
export function holdsNul(json: unknown): boolean {
  if (typeof json === "string") return json.includes("\u0000");
  if (typeof json !== "object" || json === null) return false;
  if (Array.isArray(json)) return json.some((item) => holdsNul(item));
  return Object.entries(json).some(([key, item]) => key.includes("\u0000") || holdsNul(item));
}

/** JSON to google.protobuf.Value. */
export function toValue(json: unknown): Value {
  const of = (kind: Value["kind"]): Value => ({ $typeName: "google.protobuf.Value", kind });
  if (json === null) return of({ case: "nullValue", value: 0 });
  if (typeof json === "string") return of({ case: "stringValue", value: json });
  if (typeof json === "number") return of({ case: "numberValue", value: json });
  if (typeof json === "boolean") return of({ case: "boolValue", value: json });
  if (Array.isArray(json)) return of({ case: "listValue", value: toListValue(json) });
  const fields: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(json ?? {})) put(fields, key, toValue(value));
  return of({ case: "structValue", value: { $typeName: "google.protobuf.Struct", fields } });
}

export function toListValue(json: readonly unknown[]): { $typeName: "google.protobuf.ListValue"; values: Value[] } {
  return { $typeName: "google.protobuf.ListValue", values: json.map((item) => toValue(item)) };
}

/** google.protobuf.Value to JSON. */
export function fromValue(message: ValueInit): unknown {
  const kind = message.kind;
  if (kind === undefined) return null;
  switch (kind.case) {
    case undefined:
    case "nullValue":
      return null;
    case "listValue":
      return fromListValue((kind.value ?? {}) as { values?: ValueInit[] });
    case "structValue":
      return mapObject((kind.value as { fields?: Record<string, ValueInit> }).fields ?? {}, fromValue);
    default:
      return kind.value;
  }
}

export function fromListValue(message: { values?: readonly ValueInit[] }): unknown[] {
  return (message.values ?? []).map((item) => fromValue(item));
}

/** A map with each value written by `write`. */
export function mapObject<Item>(
  map: Readonly<Record<string, Item>>,
  write: (item: Item) => unknown,
): Record<string, unknown> {
  const written: Record<string, unknown> = {};
  for (const key of Object.keys(map)) put(written, key, write(map[key] as Item));
  return written;
}

/** Creates the public codec of a message from its generated functions. */
export function codec<Shape>(
  read: (json: unknown, violations: Violation[]) => Shape,
  check: (message: Shape, violations: Violation[]) => void,
  object: (message: Shape) => Record<string, unknown>,
) {
  return {
    parse(json: unknown, violations: Violation[]): Shape | undefined {
      const before = violations.length;
      const message = read(json, violations);
      return violations.length === before ? message : undefined;
    },
    check,
    object,
    write(message: Shape): string {
      return JSON.stringify(object(message));
    },
  };
}
