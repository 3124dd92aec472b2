import { ApiError } from "../errors/errors.ts";

/** The key came with another request before. The status is that of the standard's draft (section 2.7). */
export function otherRequest(): ApiError {
  const message = "was used for another request in the last 24 hours. Send each request with a key of its own";
  return new ApiError("VALIDATION_ERROR", `idempotencyKey ${message}`, {
    status: 422,
    details: [{ field: "idempotencyKey", message }],
  });
}

/** Another call with the key is being carried out (section 2.7 of the standard's draft). */
export function inFlight(): ApiError {
  return new ApiError(
    "CONFLICT",
    "Another call with this idempotencyKey is being carried out. Send it again in a second, to get its answer",
    { headers: { "retry-after": "1" } },
  );
}
