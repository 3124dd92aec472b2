import { expect, test } from "vitest";
import { storeFailureAnswer } from "../../src/call/storeFailureAnswer.ts";
import { StoreFailure, type StoreProblem } from "../../src/errors/storeFailure.ts";

test.each<[StoreProblem["kind"], number, string, string | undefined]>([
  ["log_full", 503, "SERVICE_UNAVAILABLE", "5"],
  ["log_unwritable", 503, "SERVICE_UNAVAILABLE", "5"],
  ["not_answering", 503, "SERVICE_UNAVAILABLE", "5"],
  ["stopping", 503, "SERVICE_UNAVAILABLE", "5"],
  ["too_many_files", 503, "SERVICE_UNAVAILABLE", "5"],
  ["broken_off", 503, "SERVICE_UNAVAILABLE", "5"],
  ["queue_full", 503, "SERVICE_UNAVAILABLE", "2"],
  ["owner_queue_full", 429, "RATE_LIMIT_EXCEEDED", "2"],
  ["read_too_long", 400, "QUERY_ERROR", undefined],
  ["call_too_long", 400, "QUERY_ERROR", undefined],
  ["too_many_rows", 400, "QUERY_ERROR", undefined],
  ["given_up", 499, "SERVICE_UNAVAILABLE", undefined],
])("7: %s is answered %i %s", (kind, status, code, retryAfter) => {
  const problem = { kind, timeoutMs: 30_000, maxRows: 100_000, maxWaiting: 1_000 } as StoreProblem;
  const answer = storeFailureAnswer(new StoreFailure(problem));
  expect({ status: answer.status, code: answer.code, retryAfter: answer.headers["retry-after"] }).toEqual({
    status,
    code,
    retryAfter,
  });
});
