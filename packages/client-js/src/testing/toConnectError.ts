import { Code, ConnectError } from "@connectrpc/connect";
import { BadRequestSchema, ErrorInfoSchema, RequestInfoSchema } from "../gen/google/rpc/error_details_pb.ts";
import { FieldSuggestionSchema } from "../gen/lookout/v1/error_pb.ts";
import { LookoutError } from "../lookoutError.ts";

/** What a test's answer has thrown, in the form in which the service sends errors. Anything but a LookoutError is a mistake of the test. */
export function toConnectError(thrown: unknown): ConnectError {
  const error =
    thrown instanceof LookoutError
      ? thrown
      : new LookoutError("BAD_ANSWER", thrown instanceof Error ? thrown.message : String(thrown), { cause: thrown });
  const { code, message, details, requestId, retryAfterMs } = error;
  const headers = retryAfterMs === undefined ? undefined : { "retry-after": String(retryAfterMs / 1_000) };
  const suggestions = details.flatMap(({ field, suggestion }) =>
    suggestion === undefined ? [] : [{ desc: FieldSuggestionSchema, value: { field, suggestion } }],
  );
  return new ConnectError(
    message,
    Code.Unknown,
    headers,
    [
      { desc: ErrorInfoSchema, value: { reason: code, domain: "lookout" } },
      { desc: RequestInfoSchema, value: { requestId: requestId ?? "req_test" } },
      {
        desc: BadRequestSchema,
        value: { fieldViolations: details.map(({ field, message }) => ({ field, description: message })) },
      },
      ...suggestions,
    ],
    thrown,
  );
}
