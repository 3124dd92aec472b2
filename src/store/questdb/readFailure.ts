import type { Refusal } from "../../concurrency/fairQueue.ts";
import { ApiError, callerGone, rateLimitExceeded } from "../../errors.ts";

/** A read that took too long or returned too many rows: a narrower question can be answered. */
export class ReadLimitError extends ApiError {
  override name = "ReadLimitError";
}

export function readTookTooLong(timeoutMs: number): ReadLimitError {
  return new ReadLimitError(
    "QUERY_ERROR",
    `The query was stopped after ${timeoutMs / 1_000} s. Narrow the range or add filters`,
  );
}

/** A call may make many reads; together they took too long. */
export function callTookTooLong(timeoutMs: number): ReadLimitError {
  return new ReadLimitError(
    "QUERY_ERROR",
    `The request was stopped after ${timeoutMs / 1_000} s. Ask for fewer parameters at once, narrow the range or add filters`,
  );
}

export function readTooManyRows(maxRows: number): ReadLimitError {
  return new ReadLimitError(
    "QUERY_ERROR",
    `The query needs more than ${maxRows.toLocaleString("en")} rows. Narrow the range or add filters`,
  );
}

/** The error of a read that was not started. `maxWaitingPerOwner` is how many reads of a website may queue. */
export function readRefused(refusal: Refusal, maxWaitingPerOwner: number): ApiError {
  const headers = { "retry-after": "2" };
  if (refusal === "aborted") return callerGone();
  if (refusal === "owner_full")
    return rateLimitExceeded(
      "Too many queries of this website are waiting. Send fewer at once and try again in a few seconds",
      { limit: maxWaitingPerOwner, waitMs: 2_000 },
    );
  return new ApiError("SERVICE_UNAVAILABLE", "Too many queries are waiting. Try again in a few seconds", { headers });
}
