import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { validationError } from "../errors.ts";
import type { PathMatch, Route } from "./routeTable.ts";

export type JsonObject = Record<string, unknown>;

/** Puts the query string's and the path's values into the request's JSON, each as its field's kind. Unknown names are ignored. */
export function addParameters(json: JsonObject, route: Route, match: PathMatch, queryString: string | undefined): void {
  const { input } = route.method;
  if (queryString !== undefined && route.body !== "*")
    for (const [name, text] of new URLSearchParams(queryString)) {
      const field = fieldsByName(input).get(name);
      // The body's own field cannot be given in the query string as well.
      if (field !== undefined && field.jsonName !== route.body && field.jsonName !== route.arrayBody)
        addText(json, field, text);
    }
  route.template.variables.forEach((name, index) => {
    const field = fieldsByName(input).get(name);
    if (field !== undefined) addText(json, field, decodeSegment(name, match.values[index] ?? ""));
  });
}

const known = new WeakMap<DescMessage, ReadonlyMap<string, DescField>>();

function fieldsByName(message: DescMessage): ReadonlyMap<string, DescField> {
  const before = known.get(message);
  if (before !== undefined) return before;
  const fields = new Map(
    message.fields.flatMap((field): [string, DescField][] => [
      [field.name, field],
      [field.jsonName, field],
    ]),
  );
  known.set(message, fields);
  return fields;
}

function addText(json: JsonObject, field: DescField, text: string): void {
  if (field.fieldKind === "list") {
    const before = json[field.jsonName];
    json[field.jsonName] = Array.isArray(before) ? [...before, text] : [text];
  } else if (field.fieldKind === "scalar") json[field.jsonName] = jsonValue(field.scalar, text);
}

/** Text that is not of the field's kind is left as it is, so that the codec names the field in its error. */
function jsonValue(scalar: ScalarType, text: string): unknown {
  if (scalar === ScalarType.STRING) return text;
  if (scalar === ScalarType.BOOL)
    return text === "true" || text === "1" ? true : text === "false" || text === "0" ? false : text;
  const number = Number(text);
  return text.trim() !== "" && Number.isFinite(number) ? number : text;
}

function decodeSegment(name: string, text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw validationError([{ field: name, message: "is not valid percent-encoding (RFC 3986, section 2.1)" }]);
  }
}
