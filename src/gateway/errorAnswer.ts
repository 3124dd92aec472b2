import { Code, ConnectError } from "@connectrpc/connect";
import type { Logger } from "pino";
import { storeFailureAnswer } from "../call/storeFailureAnswer.ts";
import { ApiError, callerGone, type ErrorCode, unavailable } from "../errors/errors.ts";
import { StoreFailure } from "../errors/storeFailure.ts";
import { ErrorShape } from "../gen/gateway/v1/json_pb.ts";
import {
  BadRequestSchema,
  ErrorInfoSchema,
  RequestInfoSchema,
  RetryInfoSchema,
} from "../gen/google/rpc/error_details_pb.ts";
import { FieldSuggestionSchema } from "../gen/lookout/v1/error_pb.ts";
import { isTextRefused } from "../store/postgres/textRefused.ts";
import { isStoreUnavailable } from "../store/storeUnavailable.ts";

/** The gRPC code for each error code of specification part 7 (google/rpc/code.proto lists the HTTP status of each). */
const grpcCodes: Readonly<Record<ErrorCode, Code>> = {
  AUTH_REQUIRED: Code.Unauthenticated,
  INVALID_API_KEY: Code.Unauthenticated,
  UNAUTHORIZED: Code.Unauthenticated,
  ACCESS_DENIED: Code.PermissionDenied,
  FORBIDDEN: Code.PermissionDenied,
  VALIDATION_ERROR: Code.InvalidArgument,
  MISSING_PARAMETER: Code.InvalidArgument,
  MISSING_PROJECT_ID: Code.InvalidArgument,
  MISSING_WEBSITE_ID: Code.InvalidArgument,
  UNKNOWN_QUERY_TYPE: Code.InvalidArgument,
  INVALID_DATE_PRESET: Code.InvalidArgument,
  COMPILATION_ERROR: Code.InvalidArgument,
  QUERY_ERROR: Code.InvalidArgument,
  NOT_FOUND: Code.NotFound,
  CONFLICT: Code.FailedPrecondition,
  RATE_LIMIT_EXCEEDED: Code.ResourceExhausted,
  INTERNAL_SERVER_ERROR: Code.Internal,
  NOT_IMPLEMENTED: Code.Unimplemented,
  SERVICE_UNAVAILABLE: Code.Unavailable,
};

/**
 * Turns whatever was thrown into an error that may be shown. Anything but an ApiError is a defect: it is logged with
 * its request id, and answered without its text.
 */
export function toApiError(
  thrown: unknown,
  app: { readonly log: Pick<Logger, "error"> },
  rpc: string,
  requestId: string,
): ApiError {
  if (thrown instanceof ApiError) {
    if (thrown.status >= 500 && thrown.code !== "NOT_IMPLEMENTED")
      app.log.error({ rpc, requestId, err: thrown.cause ?? thrown }, thrown.message);
    return thrown;
  }
  if (thrown instanceof StoreFailure) return toApiError(storeFailureAnswer(thrown), app, rpc, requestId);
  // Work for a client that disconnects is aborted with the signal's own error.
  if (thrown instanceof Error && thrown.name === "AbortError") return callerGone();
  if (isStoreUnavailable(thrown)) {
    app.log.error({ rpc, requestId, err: thrown }, "a store does not answer");
    return unavailable("A store does not answer. Try again in a few seconds", 5, thrown);
  }
  // Handlers report the field where they check it; this is for text that reaches the store through a library.
  if (isTextRefused(thrown))
    return new ApiError("VALIDATION_ERROR", "A text holds the character U+0000, which cannot be stored. Leave it out", {
      cause: thrown,
    });
  app.log.error({ rpc, requestId, err: thrown }, "unexpected error");
  return new ApiError(
    "INTERNAL_SERVER_ERROR",
    "Something went wrong on our side. Try again; if it stays, report the requestId",
    { cause: thrown },
  );
}

/** The JSON body of an error (specification part 7). */
export function errorBody(error: ApiError, requestId: string, shape: ErrorShape): object {
  const { code, details, members } = error;
  const common = { error: error.message, code, requestId, ...members, ...(details.length > 0 ? { details } : {}) };
  if (shape === ErrorShape.BATCH) return { status: "error", message: error.message, success: false, ...common };
  if (shape === ErrorShape.PLAIN) return common;
  return { success: false, ...common };
}

/**
 * Completes an error that Connect made before a handler ran. The client's request could not be read, which is never our
 * fault, so Connect's "internal" becomes an invalid argument.
 */
export function explainRefusal(error: ConnectError, requestId: string): void {
  if (error.details.length > 0) return;
  // Connect declares the code read-only but offers no other way to correct it.
  if (error.code === Code.Internal || error.code === Code.Unknown) Object.assign(error, { code: Code.InvalidArgument });
  error.details.push(...commonDetails("VALIDATION_ERROR", requestId));
}

type OutgoingDetail = NonNullable<ConstructorParameters<typeof ConnectError>[3]>[number];

function commonDetails(reason: ErrorCode, requestId: string): OutgoingDetail[] {
  return [
    { desc: ErrorInfoSchema, value: { reason, domain: "lookout.v1" } },
    { desc: RequestInfoSchema, value: { requestId } },
  ];
}

/** The same error over gRPC: details carry code, request id, fields, suggestions and when to call again. */
export function toConnectError(error: ApiError, requestId: string): ConnectError {
  const details: OutgoingDetail[] = commonDetails(error.code, requestId);
  const fieldViolations = error.details.map(({ field, message }) => ({ field, description: message }));
  if (fieldViolations.length > 0) details.push({ desc: BadRequestSchema, value: { fieldViolations } });
  for (const { field, suggestion } of error.details)
    if (suggestion !== undefined) details.push({ desc: FieldSuggestionSchema, value: { field, suggestion } });
  const retryAfter = error.headers["retry-after"];
  if (retryAfter !== undefined)
    details.push({ desc: RetryInfoSchema, value: { retryDelay: { seconds: BigInt(retryAfter), nanos: 0 } } });
  return new ConnectError(error.message, grpcCodes[error.code], error.headers, details, error.cause);
}
