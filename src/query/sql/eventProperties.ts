import { quoted } from "../request/problems.ts";
import type { Bindings } from "./bindings.ts";
import type { Field } from "./fields.ts";

/** What filters on a property of custom events begin with; the rest, whatever it holds, is the property's key. */
const prefix = "properties.";

/** How filters on properties are listed among other names. */
export const propertyFilterName = `${prefix}<key>`;

/** The key of a filter on a property; undefined for any other filter. */
export function propertyKeyOf(filterName: string): string | undefined {
  return filterName.startsWith(prefix) ? filterName.slice(prefix.length) : undefined;
}

/**
 * A property as a field that filters compare: its text, where numbers and true or false stand for their JSON text and nested values
 * for all of it; empty where it is missing or null. The key is bound.
 */
export function propertyField(key: string, bindings: Bindings): Field {
  const path = pathOf(key);
  if (path === undefined) throw new Error(`no path leads to the property ${key}`);
  return { column: `json_extract(properties, ${bindings.bind(path)})`, whenEmpty: "" };
}

/** Why a property cannot be filtered by; undefined when it can. */
export function propertyKeyProblem(key: string): string | undefined {
  if (key === "") return `Filter on field "${prefix}" names no property. Write ${propertyFilterName}`;
  if (key.includes("\u0000")) return "Filter on a property whose key holds U+0000 is not possible. Leave it out";
  if (pathOf(key) !== undefined) return undefined;
  return (
    `Filter on the property ${quoted(key)} is not possible, because a . or [ follows a ] in its key. ` +
    "Filter on event_name or send the property under a simpler key"
  );
}

/**
 * The path of a top-level property for json_extract; undefined where none leads there. simdjson takes all up to the first ] of `[…]`
 * and what follows as it stands, except that there a . or [ would begin a next step. It compares keys as they are written in JSON.
 */
function pathOf(key: string): string | undefined {
  const written = JSON.stringify(key).slice(1, -1);
  const end = written.indexOf("]");
  if (end === -1) return `[${written}]`;
  const rest = written.slice(end);
  return /[.[]/.test(rest) ? undefined : `[${written.slice(0, end)}]${rest}`;
}
