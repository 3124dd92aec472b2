import {
  create,
  type DescField,
  type DescMessage,
  type DescOneof,
  fromJson,
  isFieldSet,
  isMessage,
  ScalarType,
  toJson,
} from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { jsonOf, memberPath, shown } from "./jsonOf.ts";
import type { LookoutErrorDetail } from "./lookoutError.ts";
import { nearestName } from "./nearestName.ts";

export type ReadingRules = {
  /** Whether a Date is taken for a text. */
  readonly takesDates?: boolean;
  /** Whether members that the contract does not have are left out, and those that are null, instead of being problems. */
  readonly isLenient?: boolean;
  /**
   * A member of the message whose name is left out of the places of its own members, as callers write them. They write a oneof by its case:
   * `goal.page` for `goal.action.value`.
   */
  readonly unnamed?: string;
  /** What a text may be, by `<message>.<name in the proto>`. Without it any text will do. */
  readonly allowed?: Readonly<Record<string, readonly string[]>> | undefined;
};

/** What a message is made of, and what is wrong with it. */
export type ReadMessage = { readonly init: unknown; readonly problems: readonly LookoutErrorDetail[] };

/**
 * Compares an object with a message of the contract before it becomes one, since protobuf ignores members that the message does not have and
 * fails at others without their names. Dates become texts, and JSON loses members that are undefined.
 */
export function readMessage(message: DescMessage, value: unknown, rules: ReadingRules): ReadMessage {
  const problems: LookoutErrorDetail[] = [];
  return { init: readObject(message, value, "", { ...rules, problems }), problems };
}

type Reading = ReadingRules & { readonly problems: LookoutErrorDetail[] };

function refuse({ problems }: Reading, field: string, message: string, suggestion?: string): undefined {
  if (suggestion === undefined) problems.push({ field, message });
  else problems.push({ field, message: `${message}; did you mean ${suggestion}?`, suggestion });
}

function readObject(message: DescMessage, value: unknown, path: string, reading: Reading): unknown {
  if (message.typeName === ValueSchema.typeName) return readValue(value, path, reading);
  if (typeof value !== "object" || value === null || Array.isArray(value) || value instanceof Date)
    return refuse(reading, path, `must be an object, not ${shown(value)}`);
  if (message.typeName === "google.protobuf.Struct") return jsonOf(value, path, reading.problems);
  if (message.typeName.startsWith("google.")) return value;
  if (!reading.isLenient) refuseUnknown(message, value, path, reading);
  const read = message.members.flatMap((known): [string, unknown][] => {
    const name = known.localName;
    const member: unknown = Reflect.get(value, name);
    if (member === undefined || (member === null && reading.isLenient) || isDefault(message, value, known)) return [];
    const field = path === "" && name === reading.unnamed ? "" : memberPath(path, name);
    const isOneof = known.kind === "oneof";
    return [[name, isOneof ? readOneof(known, member, field, reading) : readField(known, member, field, reading)]];
  });
  return Object.fromEntries(read);
}

/** Whether a member still has its default, which protobuf sets in each message, so the caller did not set it. */
function isDefault(message: DescMessage, value: object, member: DescField | DescOneof): boolean {
  return member.kind === "field" && isMessage(value, message) && !isFieldSet(value, member);
}

/** `$typeName` and `$unknown` belong to messages that protobuf has made. */
function refuseUnknown(message: DescMessage, value: object, path: string, reading: Reading): void {
  const known = message.members.map(({ localName }) => localName);
  for (const [name, member] of Object.entries(value)) {
    if (name.startsWith("$") || member === undefined || known.includes(name)) continue;
    refuse(reading, memberPath(path, name), `is no member of ${message.name}`, nearestName(name, known));
  }
}

/** JSON, as such or in the form of protobuf. */
function readValue(value: unknown, path: string, reading: Reading): unknown {
  if (!isValueMessage(value)) return fromJson(ValueSchema, jsonOf(value, path, reading.problems));
  try {
    toJson(ValueSchema, create(ValueSchema, value));
    return value;
  } catch (error) {
    return refuse(reading, path, `is no value of JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function isValueMessage(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const kind: unknown = Reflect.get(value, "kind");
  return typeof kind === "object" && kind !== null && "case" in kind;
}

function readOneof(oneof: DescOneof, value: unknown, path: string, reading: Reading): unknown {
  const { case: name, value: member } = (value ?? {}) as { readonly case?: unknown; readonly value?: unknown };
  if (name === undefined) return { case: undefined };
  const field = oneof.fields.find(({ localName }) => localName === name);
  if (field !== undefined) {
    const place = reading.unnamed === undefined ? `${path}.value` : path.replace(/[^.]*$/, field.localName);
    return { case: name, value: readField(field, member, place, reading) };
  }
  const names = oneof.fields.map(({ localName }) => localName);
  const suggestion = nearestName(String(name), names);
  return refuse(reading, `${path}.case`, `must be one of ${names.join(", ")}`, suggestion);
}

function readField(field: DescField, value: unknown, path: string, reading: Reading): unknown {
  if (field.fieldKind === "list") {
    if (!Array.isArray(value)) return refuse(reading, path, `must be a list, not ${shown(value)}`);
    return value.map((item, index) => readOne(field, item, `${path}[${index}]`, reading));
  }
  if (field.fieldKind === "map") {
    if (typeof value !== "object" || value === null)
      return refuse(reading, path, `must be an object, not ${shown(value)}`);
    const items = Object.entries(value).filter(([, item]) => item !== undefined);
    return Object.fromEntries(items.map(([key, item]) => [key, readOne(field, item, `${path}.${key}`, reading)]));
  }
  return readOne(field, value, path, reading);
}

function readOne(field: DescField, value: unknown, path: string, reading: Reading): unknown {
  if (field.message !== undefined) return readObject(field.message, value, path, reading);
  const isTime = value instanceof Date && reading.takesDates && field.scalar === ScalarType.STRING;
  if (isTime && Number.isNaN(value.getTime())) return refuse(reading, path, "is an invalid Date");
  const scalar = isTime ? value.toISOString() : value;
  const wanted = wantedInstead(field.scalar, scalar);
  if (wanted !== undefined) return refuse(reading, path, `must be ${wanted}, not ${shown(value)}`);
  const allowed = reading.allowed?.[`${field.parent.name}.${field.name}`];
  if (allowed === undefined || scalar === "" || allowed.includes(String(scalar))) return scalar;
  const suggestion = nearestName(String(scalar), allowed);
  return refuse(reading, path, `must be one of ${allowed.join(", ")}, not ${shown(value)}`, suggestion);
}

/** What a field takes, where it does not take the value. Enums are numbers. */
function wantedInstead(scalar: ScalarType | undefined, value: unknown): string | undefined {
  switch (scalar) {
    case ScalarType.STRING:
      return typeof value === "string" ? undefined : "a string";
    case ScalarType.BOOL:
      return typeof value === "boolean" ? undefined : "a boolean";
    case ScalarType.BYTES:
      return value instanceof Uint8Array ? undefined : "bytes";
    case ScalarType.UINT32:
      return wholeNumber(value, 0, 4_294_967_295);
    case ScalarType.DOUBLE:
    case ScalarType.FLOAT:
      return Number.isFinite(value) ? undefined : finite(value);
    case ScalarType.INT64:
      return typeof value === "bigint" ? undefined : "a bigint";
    default:
      return wholeNumber(value, -2_147_483_648, 2_147_483_647);
  }
}

function wholeNumber(value: unknown, least: number, most: number): string | undefined {
  if (typeof value !== "number") return "a number";
  if (!Number.isInteger(value)) return "a whole number";
  return value >= least && value <= most ? undefined : `a whole number from ${least} to ${most}`;
}

function finite(value: unknown): string {
  return typeof value === "number" ? "a finite number" : "a number";
}
