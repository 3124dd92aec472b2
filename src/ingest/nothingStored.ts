import { validationError } from "../errors.ts";
import type { Drop } from "./dropReasons.ts";

/** The error of a request of which nothing was stored: what is wrong with each item, by its place. */
export function nothingStored(
  verdicts: readonly ({ readonly outcome: "dropped"; readonly drop: Drop } | { readonly outcome: string })[],
): Error {
  const details = verdicts.flatMap((verdict, index) => {
    if (!("drop" in verdict) || verdict.outcome !== "dropped") return [];
    const { field, message } = verdict.drop;
    return { field: field === "" ? `[${index}]` : `[${index}].${field}`, message };
  });
  return validationError(details);
}
