import { validationError } from "../errors/errors.ts";

/** With a time zone, so that it does not depend on a clock; a date alone is easily mistaken for its end. */
const isoInstant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;

/**
 * When something expires, from the field `expiresAt`; null for never. Throws VALIDATION_ERROR for an invalid instant, and for the
 * past; `what` ends without it, such as "a key".
 */
export function readExpiry(given: string | undefined, what: string, nowMs: number): Date | null {
  if (given === undefined || given === "") return null;
  const atMs = isoInstant.test(given) ? Date.parse(given) : Number.NaN;
  if (Number.isNaN(atMs))
    throw expiryError("must be an instant in ISO 8601 with its time zone, such as 2030-01-31T12:00:00Z");
  if (atMs <= nowMs)
    throw expiryError(`lies in the past. Give a later instant, or leave it out for ${what} without an end`);
  return new Date(atMs);
}

function expiryError(message: string) {
  return validationError([{ field: "expiresAt", message }]);
}
