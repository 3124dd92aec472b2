/** Codes of errors that the service answers. ACCESS_DENIED: the key lacks a scope, which the message names. docs/user/errors.md has the meaning of each. */
export type ServiceErrorCode =
  | "AUTH_REQUIRED"
  | "INVALID_API_KEY"
  | "ACCESS_DENIED"
  | "VALIDATION_ERROR"
  | "MISSING_PARAMETER"
  | "MISSING_PROJECT_ID"
  | "MISSING_WEBSITE_ID"
  | "NOT_FOUND"
  | "UNAUTHORIZED"
  | "FORBIDDEN"
  | "CONFLICT"
  | "RATE_LIMIT_EXCEEDED"
  | "QUERY_ERROR"
  | "COMPILATION_ERROR"
  | "UNKNOWN_QUERY_TYPE"
  | "INVALID_DATE_PRESET"
  | "INTERNAL_SERVER_ERROR"
  | "NOT_IMPLEMENTED"
  | "SERVICE_UNAVAILABLE";

/**
 * Codes of errors without an answer of the service. UNREACHABLE: nothing answers at the address. TIMEOUT: no complete
 * answer in time. BAD_ANSWER: something else answered, or the connection was lost before the whole answer came. CANCELLED:
 * the caller's signal. CLOSED: the client was closed. INTERCEPTOR_FAILED: a function in `interceptors` threw. QUEUE_FULL concerns events only: it is why one was not taken.
 */
export type ClientErrorCode =
  | "UNREACHABLE"
  | "TIMEOUT"
  | "BAD_ANSWER"
  | "CANCELLED"
  | "QUEUE_FULL"
  | "CLOSED"
  | "INTERCEPTOR_FAILED";

export type LookoutErrorCode = ServiceErrorCode | ClientErrorCode;

/** What is wrong with one field of a request. */
export type LookoutErrorDetail = {
  /** Path of the field, such as `parameters[0]`. Empty for the request as a whole. */
  readonly field: string;
  /** What is wrong with it. */
  readonly message: string;
  /** The nearest valid value, where one is near. */
  readonly suggestion?: string;
};

type Facts = {
  readonly details?: readonly LookoutErrorDetail[];
  readonly requestId?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly status?: number | undefined;
  readonly cause?: unknown;
  /** Whether waiting does not help, whatever the code says. */
  readonly isLasting?: boolean;
};

/** The error of every call. The message says what to do. */
export class LookoutError extends Error {
  override readonly name = "LookoutError";
  /** What went wrong, for programs. */
  readonly code: LookoutErrorCode;
  /** The wrong fields of the request; empty where the error is not about a field. */
  readonly details: readonly LookoutErrorDetail[];
  /** Names the request in the service's log; undefined where the service did not answer. */
  readonly requestId: string | undefined;
  /** How long the service asks to wait before the next try, ms. */
  readonly retryAfterMs: number | undefined;
  /** The HTTP status with which a proxy answered instead of Lookout; undefined for all other errors. */
  readonly status: number | undefined;

  readonly #isLasting: boolean;

  constructor(code: LookoutErrorCode, message: string, facts: Facts = {}) {
    const { details = [], requestId, retryAfterMs, status, cause, isLasting = false } = facts;
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.details = details;
    this.requestId = requestId;
    this.retryAfterMs = retryAfterMs;
    this.status = status;
    // What a proxy says about the address or the request does not pass by itself, unlike what it says about the time.
    this.#isLasting = isLasting || (code === "BAD_ANSWER" && status !== undefined);
  }

  /** Whether the same call may succeed later. Whether it may be made twice depends on the call. */
  get isTemporary(): boolean {
    // The first try of the same idempotency key is still being carried out: the service says when to ask again.
    const isInProgress = this.code === "CONFLICT" && this.retryAfterMs !== undefined;
    return isInProgress || (temporaryCodes.has(this.code) && !this.#isLasting);
  }
}

const temporaryCodes: ReadonlySet<LookoutErrorCode> = new Set<LookoutErrorCode>([
  "UNREACHABLE",
  "TIMEOUT",
  "BAD_ANSWER",
  "RATE_LIMIT_EXCEEDED",
  "INTERNAL_SERVER_ERROR",
  "SERVICE_UNAVAILABLE",
]);
