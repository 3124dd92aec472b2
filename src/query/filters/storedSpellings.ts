import { pathSpellings } from "../../text/pagePath.ts";
import { storedZoneName } from "./timeZoneValue.ts";

/** Fields whose values are paths of pages. */
const pathFields: ReadonlySet<string> = new Set(["path", "page", "entry_page", "exit_page"]);

/** What a condition on a field has to compare with, so that it finds the value in each spelling that rows may have. */
export function storedSpellings(field: string, value: string, comparison: string): readonly string[] {
  return pathFields.has(field) ? pathSpellings(value) : [storedZoneName(field, value, comparison)];
}
