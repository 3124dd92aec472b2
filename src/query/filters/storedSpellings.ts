import { pathSpellings } from "../../text/pagePath.ts";
import { knownTimeZone } from "../../time/timeZone.ts";

/** Fields whose values are paths of pages. */
const pathFields: ReadonlySet<string> = new Set(["path", "page", "entry_page", "exit_page"]);

/**
 * What a condition on a field has to compare with, so that it finds the value in each spelling that rows may have. Events hold the current name
 * of their time zone, while a condition may use an older one; parts of names (`contains`, `starts_with`) stay as they are.
 */
export function storedSpellings(field: string, value: string, comparison: string): readonly string[] {
  if (pathFields.has(field)) return pathSpellings(value);
  const isZone = field === "timezone" && (comparison === "equals" || value.includes("/"));
  return [isZone ? (knownTimeZone(value) ?? value) : value];
}
