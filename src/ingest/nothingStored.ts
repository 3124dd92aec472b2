import { validationError } from "../errors/errors.ts";
import type { Drop } from "./dropReasons.ts";

/** The error of a request of which nothing was stored: what is wrong with each item, by its index. */
export function nothingStored(
  validations: readonly ({ readonly outcome: "dropped"; readonly drop: Drop } | { readonly outcome: string })[],
): Error {
  const details = validations.flatMap((validation, index) => {
    if (!("drop" in validation) || validation.outcome !== "dropped") return [];
    const { field, message } = validation.drop;
    return { field: field === "" ? `[${index}]` : `[${index}].${field}`, message };
  });
  return validationError(details);
}
