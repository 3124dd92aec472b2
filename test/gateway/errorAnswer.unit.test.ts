import { Code } from "@connectrpc/connect";
import { expect, test } from "vitest";
import { ApiError, callerGone, rateLimitExceeded, unavailable, validationError } from "../../src/errors/errors.ts";
import { toConnectError } from "../../src/gateway/errorAnswer.ts";
import { BadRequestSchema, RequestInfoSchema, RetryInfoSchema } from "../../src/gen/google/rpc/error_details_pb.ts";
import { FieldSuggestionSchema } from "../../src/gen/lookout/v1/error_pb.ts";

test.each([
  [rateLimitExceeded("Too many", { limit: 1, waitMs: 2_500 }), Code.ResourceExhausted, 3n],
  [unavailable("Stopping", 5), Code.Unavailable, 5n],
])("part 7: %s says over gRPC when to call again", (error, code, seconds) => {
  const answer = toConnectError(error, "req_1");
  expect(answer.code).toBe(code);
  expect(answer.findDetails(RetryInfoSchema)).toMatchObject([{ retryDelay: { seconds, nanos: 0 } }]);
  expect(answer.metadata.get("retry-after")).toBe(String(seconds));
});

test.each([callerGone(), new ApiError("NOT_FOUND", "No such link"), validationError([])])(
  "part 7: %s is not to be repeated later, and has the request id",
  (error) => {
    const answer = toConnectError(error, "req_1");
    expect(answer.findDetails(RetryInfoSchema)).toEqual([]);
    expect(answer.findDetails(RequestInfoSchema)).toMatchObject([{ requestId: "req_1" }]);
  },
);

test("part 7: suggestions are details of their own, and the descriptions are those of JSON", () => {
  const answer = toConnectError(
    validationError([
      { field: "a", message: "is unknown", suggestion: "b" },
      { field: "c", message: "is required" },
    ]),
    "req_1",
  );
  expect(answer.findDetails(BadRequestSchema)[0]?.fieldViolations).toMatchObject([
    { field: "a", description: "is unknown" },
    { field: "c", description: "is required" },
  ]);
  expect(answer.findDetails(FieldSuggestionSchema)).toMatchObject([{ field: "a", suggestion: "b" }]);
});
