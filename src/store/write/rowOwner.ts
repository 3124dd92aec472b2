import type { KeyedRow } from "../questdb/keyedRow.ts";

/** Whose row it is: a website's, or that of an organization where it belongs to none of its websites. */
export function ownerOfRow({ values }: Pick<KeyedRow, "values">): string {
  return values.website_id ?? values.organization_id ?? "";
}
