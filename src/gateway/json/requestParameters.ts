import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { validationError } from "../../errors/errors.ts";
import type { Violation } from "../../gen/lookout/codecs.js";
import type { PathTemplate } from "./pathTemplate.ts";

/** What a route says about its parameters. */
type ParameterRules = {
  /** "*" when every field comes from the body. */
  readonly body: string | undefined;
  /** The fields that path and query string may set. */
  readonly parameters: ReadonlyMap<string, DescField>;
  /** Whether unknown parameters are ignored. */
  readonly isLenient: boolean;
  readonly template: PathTemplate;
};

export type JsonObject = Record<string, unknown>;

/**
 * The fields that path and query string may set, by either of their names. The field of the body can only be set by the
 * body.
 */
export function parameterFields(
  message: DescMessage,
  bodyFields: readonly (string | undefined)[],
): ReadonlyMap<string, DescField> {
  const fields = message.fields.filter(({ jsonName }) => !bodyFields.includes(jsonName));
  return new Map(
    fields.flatMap((field): [string, DescField][] => [
      [field.name, field],
      [field.jsonName, field],
    ]),
  );
}

/**
 * Adds the values of query string and path to the request's JSON, each as its field's kind. Unknown names in the query
 * string are recorded as violations unless the call is lenient.
 */
export function addParameters(
  json: JsonObject,
  route: ParameterRules,
  match: { readonly values: readonly string[] },
  queryString: string,
  violations: Violation[],
): void {
  for (const [name, text] of new URLSearchParams(queryString)) {
    const field = route.body === "*" ? undefined : route.parameters.get(name);
    if (field !== undefined) addText(json, field, text);
    else if (!route.isLenient && name !== "" && violations.length < maxUnknown) violations.push(unknown(name, route));
  }
  route.template.variables.forEach((name, index) => {
    addText(json, route.parameters.get(name), decodeSegment(name, match.values[index] ?? ""));
  });
}

/** The most unknown names recorded, so that a request cannot cause an endless answer. */
const maxUnknown = 10;

function unknown(name: string, { body, parameters }: Pick<ParameterRules, "body" | "parameters">): Violation {
  const field = name.slice(0, 100);
  if (body === "*")
    return {
      field,
      message: "is unknown: this call takes no query parameters, only members of its body",
      rule: "unknown",
    };
  const allowed = [...parameters.values()].map(({ jsonName }) => jsonName);
  return { field, message: "is unknown", rule: "unknown", value: name, allowed };
}

function addText(json: JsonObject, field: DescField | undefined, text: string): void {
  if (field === undefined) return;
  if (field.fieldKind === "list") {
    const before = json[field.jsonName];
    json[field.jsonName] = Array.isArray(before) ? [...before, text] : [text];
  } else if (field.fieldKind === "scalar") json[field.jsonName] = jsonValue(field.scalar, text);
}

/** Text that is not of the field's kind is left unchanged, so that the codec names the field in its error. */
function jsonValue(scalar: ScalarType, text: string): unknown {
  if (scalar === ScalarType.STRING) return text;
  if (scalar === ScalarType.BOOL)
    return text === "true" || text === "1" ? true : text === "false" || text === "0" ? false : text;
  const number = Number(text);
  return text.trim() !== "" && Number.isFinite(number) ? number : text;
}

function decodeSegment(name: string, text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    throw validationError([{ field: name, message: "is not valid percent-encoding (RFC 3986, section 2.1)" }]);
  }
}
