import { Code, ConnectError } from "@connectrpc/connect";
import {
  BadRequestSchema,
  ErrorInfoSchema,
  RequestInfoSchema,
  RetryInfoSchema,
} from "./gen/google/rpc/error_details_pb.ts";
import { FieldSuggestionSchema } from "./gen/lookout/v1/error_pb.ts";
import { LookoutError, type LookoutErrorCode, type LookoutErrorDetail } from "./lookoutError.ts";

/** Turns what a call has thrown into a LookoutError. `baseUrl` is for messages about the address. */
export function toLookoutError(thrown: unknown, baseUrl: string): LookoutError {
  if (thrown instanceof LookoutError) return thrown;
  const error = ConnectError.from(thrown);
  if (error.cause instanceof LookoutError) return error.cause;
  const [info] = error.findDetails(ErrorInfoSchema);
  return info === undefined ? withoutAnswer(error, baseUrl) : answered(error, info.reason);
}

/** The service names its own codes only; one that a later version adds is passed on as it is. */
function answered(error: ConnectError, reason: string): LookoutError {
  const code = reason as LookoutErrorCode;
  const hint = hints[code];
  return new LookoutError(code, `${error.rawMessage}${hint === undefined ? "" : `. ${hint}`}`, {
    details: detailsOf(error),
    requestId: error.findDetails(RequestInfoSchema)[0]?.requestId ?? error.metadata.get("x-request-id") ?? undefined,
    retryAfterMs: waitOf(error),
    cause: error,
  });
}

const hints: Partial<Record<LookoutErrorCode, string>> = {
  INVALID_API_KEY: "Check the apiKey of createLookout",
  AUTH_REQUIRED: "Pass an apiKey to createLookout",
};

/** The wrong fields; a suggestion belongs to the first message about its field that has none yet. */
function detailsOf(error: ConnectError): readonly LookoutErrorDetail[] {
  const suggestions = error.findDetails(FieldSuggestionSchema);
  return error
    .findDetails(BadRequestSchema)
    .flatMap(({ fieldViolations }) => fieldViolations)
    .map(({ field, description }) => {
      const index = suggestions.findIndex((each) => each.field === field);
      const [found] = index < 0 ? [] : suggestions.splice(index, 1);
      return { field, message: description, ...(found === undefined ? {} : { suggestion: found.suggestion }) };
    });
}

function waitOf(error: ConnectError): number | undefined {
  const delay = error.findDetails(RetryInfoSchema)[0]?.retryDelay;
  if (delay !== undefined) return Number(delay.seconds) * 1_000 + delay.nanos / 1e6;
  return readRetryAfter(error.metadata.get("retry-after"), Date.now());
}

/** The wait that a Retry-After header asks for (seconds, or a date of HTTP), ms. */
export function readRetryAfter(header: string | null, nowMs: number): number | undefined {
  if (header === null || header.trim() === "") return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1_000);
  const untilMs = Date.parse(header);
  return Number.isNaN(untilMs) ? undefined : Math.max(0, untilMs - nowMs);
}

function withoutAnswer(error: ConnectError, baseUrl: string): LookoutError {
  const fail = (code: LookoutErrorCode, message: string) => new LookoutError(code, message, { cause: error });
  switch (error.code) {
    case Code.DeadlineExceeded:
      return fail("TIMEOUT", `${baseUrl} gave no complete answer in time. Try again, or allow more with timeoutMs`);
    case Code.Canceled:
      return fail("CANCELLED", "The call was cancelled");
    case Code.Unavailable:
      return isAnswer(error) ? unavailable(error, baseUrl) : unreachable(baseUrl, error);
    default:
      return fail(
        "BAD_ANSWER",
        `The answer of ${baseUrl} broke off or is not one of Lookout (${error.rawMessage}). Check baseUrl and the proxies on the way`,
      );
  }
}

/** Whether something answered: Connect keeps the headers of answers, and names the status of those that are none of its own. */
function isAnswer({ metadata, rawMessage }: ConnectError): boolean {
  return /^HTTP \d{3}$/.test(rawMessage) || !metadata.keys().next().done;
}

/** A proxy answered instead of Lookout, as during a restart. */
function unavailable(error: ConnectError, baseUrl: string): LookoutError {
  const [, digits] = /^HTTP (\d{3})$/.exec(error.rawMessage) ?? [];
  const status = digits === undefined ? undefined : Number(digits);
  const isLimit = status === 429;
  const what = status === undefined ? error.rawMessage : `status ${status}`;
  return new LookoutError(
    isLimit ? "RATE_LIMIT_EXCEEDED" : "SERVICE_UNAVAILABLE",
    `A proxy at ${baseUrl} answered instead of Lookout (${what}). ${isLimit ? "Call less often" : "Lookout is down or starts; try again later"}`,
    { status, retryAfterMs: waitOf(error), requestId: error.metadata.get("x-request-id") ?? undefined, cause: error },
  );
}

/** Nothing answers at the address. */
export function unreachable(baseUrl: string, cause: unknown): LookoutError {
  return new LookoutError(
    "UNREACHABLE",
    `Nothing answers at ${baseUrl}${reasonOf(cause)}. Check baseUrl, and whether Lookout runs and can be reached from here`,
    { cause },
  );
}

/** The system's own words, which fetch hides in the causes. */
function reasonOf(cause: unknown): string {
  let innermost = cause;
  while (innermost instanceof Error && innermost.cause instanceof Error) innermost = innermost.cause;
  if (!(innermost instanceof Error)) return "";
  return ` (${"code" in innermost ? String(innermost.code) : innermost.message})`;
}
