import { validationError } from "../errors/errors.ts";
import { isStorableText, unstorableText } from "./isStorableText.ts";

/**
 * A website's display name, as it was sent. Throws VALIDATION_ERROR for a blank one and for text that PostgreSQL cannot
 * store.
 */
export function readName(given: string): string {
  if (given.trim() === "") throw validationError([{ field: "name", message: "must not be blank" }]);
  if (!isStorableText(given)) throw validationError([{ field: "name", message: unstorableText }]);
  return given;
}
