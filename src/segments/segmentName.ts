import { ApiError } from "../errors/errors.ts";

/** Throws PostgreSQL's refusal of a name that another segment has as CONFLICT. */
export function explainNameConflict(error: unknown): never {
  const isTaken = error instanceof Error && "constraint" in error && error.constraint === "segments_name";
  if (!isTaken) throw error;
  throw new ApiError("CONFLICT", "Another segment has this name. Choose another name, or change that segment", {
    details: [{ field: "name", message: "is taken" }],
  });
}
