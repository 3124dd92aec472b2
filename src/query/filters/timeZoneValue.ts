import { knownTimeZone } from "../../time/timeZone.ts";

/**
 * The value that a condition on a field compares with. Events hold the current name of their time zone, while a
 * condition may use an older one. Parts of names (`contains`, `starts_with`) stay as they are.
 */
export function storedZoneName(field: string, value: string, comparison: string): string {
  const isWholeName = field === "timezone" && (comparison === "equals" || value.includes("/"));
  return isWholeName ? (knownTimeZone(value) ?? value) : value;
}
