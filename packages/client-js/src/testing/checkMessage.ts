import { type DescField, type DescMessage, type DescMethod, type DescOneof, ScalarType } from "@bufbuild/protobuf";
import { LookoutError, type LookoutErrorDetail } from "../lookoutError.ts";
import { nearestName } from "./nearestName.ts";
import { restrictedFields } from "./restrictedFields.ts";

/** Throws a TypeError with everything in an answer that Lookout would not send: other members, other kinds of values, values not in their list. */
export function checkAnswer(call: string, message: DescMessage, answer: unknown): void {
  const problems = problemsOf(message, answer, "");
  if (problems.length === 0) return;
  const texts = problems.map(({ field, message: text }) => `${field === "" ? "it" : field} ${text}`);
  throw new TypeError(`The test's answer of ${call} is not one of Lookout: ${texts.join("; ")}`);
}

/** Throws a LookoutError (VALIDATION_ERROR) with everything in a request that the contract does not have. */
export function checkRequest({ input }: DescMethod, request: unknown): void {
  const details = problemsOf(input, request, "").filter(({ field }) => field !== "");
  if (details.length === 0) return;
  const message = details.map(({ field, message: text }) => `${field} ${text}`).join("; ");
  throw new LookoutError("VALIDATION_ERROR", message, { details });
}

function problemsOf(message: DescMessage, value: unknown, path: string): readonly LookoutErrorDetail[] {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return [{ field: path, message: `must be an object, not ${shown(value)}` }];
  // Structs are plain objects; other types of Google are messages of their own.
  if (message.typeName.startsWith("google.")) return [];
  const members = new Map<string, DescField | DescOneof>(message.members.map((each) => [each.localName, each]));
  return Object.entries(value).flatMap(([name, member]): readonly LookoutErrorDetail[] => {
    if (name.startsWith("$") || member === undefined) return [];
    const field = path === "" ? name : `${path}.${name}`;
    const known = members.get(name);
    if (known === undefined) {
      const suggestion = nearestName(name, [...members.keys()]);
      const hint = suggestion === undefined ? "" : `; did you mean ${suggestion}?`;
      return [{ field, message: `is no member of ${message.name}${hint}`, ...(suggestion ? { suggestion } : {}) }];
    }
    return known.kind === "oneof" ? oneofProblems(known, member, field) : fieldProblems(known, member, field);
  });
}

function oneofProblems(oneof: DescOneof, value: unknown, path: string): readonly LookoutErrorDetail[] {
  const { case: name, value: member } = (value ?? {}) as { readonly case?: unknown; readonly value?: unknown };
  if (name === undefined) return [];
  const field = oneof.fields.find(({ localName }) => localName === name);
  if (field === undefined) return [{ field: `${path}.case`, message: `must be one of ${namesOf(oneof.fields)}` }];
  return fieldProblems(field, member, `${path}.value`);
}

function namesOf(fields: readonly DescField[]): string {
  return fields.map(({ localName }) => localName).join(", ");
}

function fieldProblems(field: DescField, value: unknown, path: string): readonly LookoutErrorDetail[] {
  if (field.fieldKind === "list") {
    if (!Array.isArray(value)) return [{ field: path, message: `must be a list, not ${shown(value)}` }];
    return value.flatMap((item, index) => singleProblems(field, item, `${path}[${index}]`));
  }
  if (field.fieldKind === "map") {
    if (typeof value !== "object" || value === null)
      return [{ field: path, message: `must be an object, not ${shown(value)}` }];
    return Object.entries(value).flatMap(([key, item]) => singleProblems(field, item, `${path}.${key}`));
  }
  return singleProblems(field, value, path);
}

function singleProblems(field: DescField, value: unknown, path: string): readonly LookoutErrorDetail[] {
  if (field.message !== undefined) return problemsOf(field.message, value, path);
  const type = field.scalar === undefined ? "number" : typeOfScalar(field.scalar);
  const isRight = type === "bytes" ? value instanceof Uint8Array : typeof value === type;
  if (!isRight) return [{ field: path, message: `must be a ${type}, not ${shown(value)}` }];
  const allowed = restrictedFields[`${field.parent.name}.${field.name}`];
  if (allowed === undefined || value === "" || allowed.includes(String(value))) return [];
  const suggestion = nearestName(String(value), allowed);
  return [
    {
      field: path,
      message: `must be one of ${allowed.join(", ")}, not ${shown(value)}`,
      ...(suggestion === undefined ? {} : { suggestion }),
    },
  ];
}

function typeOfScalar(scalar: ScalarType): "string" | "boolean" | "number" | "bigint" | "bytes" {
  switch (scalar) {
    case ScalarType.STRING:
      return "string";
    case ScalarType.BOOL:
      return "boolean";
    case ScalarType.BYTES:
      return "bytes";
    case ScalarType.INT64:
    case ScalarType.UINT64:
    case ScalarType.SINT64:
    case ScalarType.FIXED64:
    case ScalarType.SFIXED64:
      return "bigint";
    default:
      return "number";
  }
}

function shown(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}
