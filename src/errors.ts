/**
 * The errors of the interface (specification part 7): made here, mapped to HTTP and gRPC by src/gateway/errorAnswer.ts.
 */

/** Codes of specification part 7 with their HTTP status, and NOT_IMPLEMENTED for what the contract promises but this build lacks. */
export const statusOfCode = {
  AUTH_REQUIRED: 401,
  INVALID_API_KEY: 401,
  ACCESS_DENIED: 403,
  VALIDATION_ERROR: 400,
  MISSING_PARAMETER: 400,
  MISSING_PROJECT_ID: 400,
  MISSING_WEBSITE_ID: 400,
  NOT_FOUND: 404,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  CONFLICT: 409,
  RATE_LIMIT_EXCEEDED: 429,
  QUERY_ERROR: 400,
  COMPILATION_ERROR: 400,
  UNKNOWN_QUERY_TYPE: 400,
  INVALID_DATE_PRESET: 400,
  INTERNAL_SERVER_ERROR: 500,
  NOT_IMPLEMENTED: 501,
  SERVICE_UNAVAILABLE: 503,
} as const;

export type ErrorCode = keyof typeof statusOfCode;

/** What was wrong with one field; `field` is its path as the caller wrote it. */
export type ErrorDetail = { field: string; message: string; suggestion?: string };

/**
 * An error that a caller sees. Anything else that is thrown is answered INTERNAL_SERVER_ERROR without its text.
 *
 * `status` overrides the HTTP status of the code (413 and 405 share VALIDATION_ERROR), `headers` are added to the HTTP answer.
 */
export class ApiError extends Error {
  override name = "ApiError";
  readonly code: ErrorCode;
  readonly details: readonly ErrorDetail[];
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ErrorCode,
    message: string,
    more: {
      details?: readonly ErrorDetail[];
      status?: number;
      headers?: Readonly<Record<string, string>>;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: more.cause });
    this.code = code;
    this.details = more.details ?? [];
    this.status = more.status ?? statusOfCode[code];
    this.headers = more.headers ?? {};
  }
}

/** VALIDATION_ERROR whose message repeats the first detail, so that a log line or a toast is enough to mend the request. */
export function validationError(details: readonly ErrorDetail[]): ApiError {
  const first = details[0];
  const rest = details.length > 1 ? ` (and ${details.length - 1} more)` : "";
  const text =
    first === undefined
      ? "Invalid request"
      : `${first.field === "" ? "The request" : first.field} ${first.message}${rest}`;
  return new ApiError("VALIDATION_ERROR", text, { details });
}

/** Nobody is left to read the answer: the client went away or its deadline passed. 499 is what proxies log for it. */
export function callerGone(): ApiError {
  return new ApiError("SERVICE_UNAVAILABLE", "The call was given up before its answer was ready. Send it again", {
    status: 499,
  });
}
