import { ApiError, callerGone, rateLimitExceeded, unavailable } from "../errors/errors.ts";
import type { StoreFailure } from "../errors/storeFailure.ts";

/** What a caller reads about a store that failed. */
export function storeFailureAnswer(failure: StoreFailure): ApiError {
  const { problem } = failure;
  switch (problem.kind) {
    case "read_too_long":
      return tooMuch(
        failure,
        `The query was stopped after ${problem.timeoutMs / 1_000} s. Narrow the range or add filters`,
      );
    case "call_too_long":
      return tooMuch(
        failure,
        `The request was stopped after ${problem.timeoutMs / 1_000} s. Ask for fewer parameters at once, narrow the range or add filters`,
      );
    case "too_many_rows":
      return tooMuch(
        failure,
        `The query needs more than ${problem.maxRows.toLocaleString("en")} rows. Narrow the range or add filters`,
      );
    case "owner_queue_full":
      return rateLimitExceeded(
        "Too many queries of this website are waiting. Send fewer at once and try again in a few seconds",
        { limit: problem.maxWaiting, waitMs: 2_000 },
      );
    case "given_up":
      return callerGone();
    default: {
      const [message, retryAfterS] = unavailableTexts[problem.kind];
      return unavailable(message, retryAfterS, failure.cause ?? failure);
    }
  }
}

/** What a caller reads, and after how many seconds to try again. */
const unavailableTexts = {
  queue_full: ["Too many queries are waiting. Try again in a few seconds", 2],
  too_many_files: ["Too many days are being read at once. Try again in a few seconds, or ask for a shorter range", 5],
  broken_off: ["The event store broke off the query. Try again in a few seconds", 5],
  log_full: ["Too many events are waiting for the event store; send the events again in a few seconds", 5],
  log_unwritable: ["Events cannot be stored now; send the events again in a few seconds", 5],
  log_unavailable: ["Events cannot be stored now; send the events again in a few seconds", 5],
  not_answering: ["The event store does not answer; send the events again in a few seconds", 5],
  stopping: ["The service is stopping; send the events again in a few seconds", 5],
} as const;

/** Whether a read took too long or returned too many rows: a narrower question can be answered. */
export function isReadLimit({ problem: { kind } }: StoreFailure): boolean {
  return kind === "read_too_long" || kind === "call_too_long" || kind === "too_many_rows";
}

function tooMuch(cause: StoreFailure, message: string): ApiError {
  return new ApiError("QUERY_ERROR", message, { cause });
}
