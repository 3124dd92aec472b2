import { ApiError, validationError } from "../errors/errors.ts";
import { isStorableText, unstorableText } from "../text/isStorableText.ts";

/** The name of a segment without the spaces around it. Throws VALIDATION_ERROR. */
export function readSegmentName(given: string): string {
  if (!isStorableText(given)) throw validationError([{ field: "name", message: unstorableText }]);
  const name = given.trim();
  if (name === "") throw validationError([{ field: "name", message: "must not be blank" }]);
  return name;
}

/** Turns PostgreSQL's refusal of a name that another segment has into CONFLICT. */
export function explainNameConflict(error: unknown): unknown {
  const isTaken = error instanceof Error && "constraint" in error && error.constraint === "segments_name";
  if (!isTaken) return error;
  return new ApiError("CONFLICT", "Another segment has this name. Choose another name, or change that segment", {
    details: [{ field: "name", message: "is taken" }],
  });
}
