/**
 * The errors of the API (specification part 7): created here, mapped to HTTP and gRPC by src/gateway/errorAnswer.ts.
 */

/**
 * Codes of specification part 7 with their HTTP status, and NOT_IMPLEMENTED for parts of the contract that this build
 * lacks.
 */
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

/**
 * Each 401 names a way to authenticate (RFC 9110, section 15.5.2; RFC 6750, section 3.1) unless the error names one
 * itself. No registered scheme stands for a sign-in or a password in a body; browsers show no dialog for unknown
 * schemes.
 */
const challengeOfCode: Readonly<Partial<Record<ErrorCode, string>>> = {
  AUTH_REQUIRED: "Session",
  INVALID_API_KEY: 'Bearer error="invalid_token"',
  UNAUTHORIZED: "Password",
};

/** The error of one field; `field` is its path as the caller wrote it. */
export type ErrorDetail = { field: string; message: string; suggestion?: string };

/**
 * An error that a caller sees. Any other thrown error is answered with INTERNAL_SERVER_ERROR, without its text.
 *
 * `status` overrides the HTTP status of the code (413 and 405 share VALIDATION_ERROR), `headers` are added to the HTTP
 * answer. `page` is the HTML for browsers; without it they show the message.
 */
export class ApiError extends Error {
  override name = "ApiError";
  readonly code: ErrorCode;
  readonly details: readonly ErrorDetail[];
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Further members of the JSON body. */
  readonly members: Readonly<Record<string, string | number>>;
  readonly page: string | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    more: {
      details?: readonly ErrorDetail[];
      status?: number;
      headers?: Readonly<Record<string, string>>;
      members?: Readonly<Record<string, string | number>>;
      page?: string;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: more.cause });
    this.code = code;
    this.details = more.details ?? [];
    this.status = more.status ?? statusOfCode[code];
    const challenge = this.status === 401 ? challengeOfCode[code] : undefined;
    this.headers = { ...(challenge === undefined ? {} : { "www-authenticate": challenge }), ...more.headers };
    this.members = more.members ?? {};
    this.page = more.page;
  }
}

/**
 * VALIDATION_ERROR whose message repeats the first detail, so that a log line or a toast is enough to fix the request.
 */
export function validationError(details: readonly ErrorDetail[]): ApiError {
  const first = details[0];
  const rest = details.length > 1 ? ` (and ${details.length - 1} more)` : "";
  const text =
    first === undefined
      ? "Invalid request"
      : `${first.field === "" ? "The request" : first.field} ${first.message}${rest}`;
  return new ApiError("VALIDATION_ERROR", text, { details });
}

/**
 * RATE_LIMIT_EXCEEDED with the members of specification part 7, rule 4, and the same as headers: the limit, and when to
 * call again. `waitMs` is the time to wait.
 */
export function rateLimitExceeded(message: string, { limit, waitMs }: { limit: number; waitMs: number }): ApiError {
  const retryAfter = Math.max(1, Math.ceil(waitMs / 1_000));
  const resetMs = Date.now() + retryAfter * 1_000;
  return new ApiError("RATE_LIMIT_EXCEEDED", message, {
    headers: {
      "retry-after": String(retryAfter),
      "x-ratelimit-limit": String(limit),
      "x-ratelimit-remaining": "0",
      "x-ratelimit-reset": String(Math.ceil(resetMs / 1_000)),
    },
    members: { limit, remaining: 0, reset: new Date(resetMs).toISOString(), retryAfter },
  });
}

/** SERVICE_UNAVAILABLE: the same call may work after so many seconds. */
export function unavailable(message: string, retryAfterS: number, cause?: unknown): ApiError {
  return new ApiError("SERVICE_UNAVAILABLE", message, { headers: { "retry-after": String(retryAfterS) }, cause });
}

/** MISSING_WEBSITE_ID of calls that ask about one website. Over JSON it stands in the query string, else in the message. */
export function missingWebsiteId(): ApiError {
  return new ApiError("MISSING_WEBSITE_ID", "Send website_id to say which website; over JSON in the query string");
}

/** Where the setting is that measures nothing but the audience of a website. */
export const audienceSetting = "privacy.audienceOnly";

/** What a website that measures its audience only answers in place of what it does not show; `reason` is a whole sentence. */
export function audienceOnlyText(reason: string): string {
  return `${reason}: this website measures its audience only, by its setting ${audienceSetting}`;
}

/** The detail of such an answer. */
export const audienceDetail = { field: audienceSetting, message: "switches this off" };

/** CONFLICT: what was asked for is switched off while a website measures its audience only. */
export function audienceOnly(reason: string): ApiError {
  return new ApiError("CONFLICT", audienceOnlyText(reason), { details: [audienceDetail] });
}

/** The client disconnected or its deadline passed, so the answer is not read. 499 is what proxies log for it. */
export function callerGone(): ApiError {
  return new ApiError("SERVICE_UNAVAILABLE", "The call was given up before its answer was ready. Send it again", {
    status: 499,
  });
}
