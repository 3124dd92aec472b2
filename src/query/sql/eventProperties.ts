import { quoted } from "../../errors/problems.ts";
import type { Bindings } from "./bindings.ts";
import type { Field } from "./fields.ts";

/** The prefix of filters on a property of custom events; everything after it is the property's key. */
const prefix = "properties.";

/** How filters on properties are shown in lists of names. */
export const propertyFilterName = `${prefix}<key>`;

/** The key of a filter on a property; undefined for any other filter. */
export function propertyKeyOf(filterName: string): string | undefined {
  return filterName.startsWith(prefix) ? filterName.slice(prefix.length) : undefined;
}

/**
 * A property as a field for filters: its text, with numbers, booleans and nested values as JSON text; empty where it is
 * missing or null. The key is bound.
 */
export function propertyField(key: string, bindings: Bindings): Field {
  const path = pathOf(key);
  if (path === undefined) throw new Error(`the property ${key} has no path`);
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
 * The path of a top-level property for json_extract; undefined where none exists. simdjson takes everything up to the
 * first ] of `[…]` literally, and also what follows, except that a . or [ there would begin another step. It compares
 * keys as they are written in JSON.
 */
function pathOf(key: string): string | undefined {
  const written = JSON.stringify(key).slice(1, -1);
  const end = written.indexOf("]");
  if (end === -1) return `[${written}]`;
  const rest = written.slice(end);
  return /[.[]/.test(rest) ? undefined : `[${written.slice(0, end)}]${rest}`;
}
