import { knownTimeZone } from "../../time/timeZone.ts";

/**
 * What a condition on a field compares: events carry the current name of their time zone, and a condition may name it by an older one.
 * Parts of names, which `contains` and `starts_with` may look for, stay as they are.
 */
export function storedZoneName(field: string, value: string, comparison: string): string {
  const isWholeName = field === "timezone" && (comparison === "equals" || value.includes("/"));
  return isWholeName ? (knownTimeZone(value) ?? value) : value;
}
