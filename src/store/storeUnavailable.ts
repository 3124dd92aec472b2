import { ApiError } from "../errors.ts";

/** SERVICE_UNAVAILABLE for rows that cannot be accepted now; `what` says why in a few words. */
export function storeUnavailable(what: string): ApiError {
  return new ApiError("SERVICE_UNAVAILABLE", `${what}; send the events again in a few seconds`, {
    headers: { "Retry-After": "5" },
  });
}
