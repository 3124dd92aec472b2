import { Code, ConnectError } from "@connectrpc/connect";
import { innermostOf, lostConnection, type SystemErrors, systemErrorOf } from "./connectionErrors.ts";
import {
  BadRequestSchema,
  ErrorInfoSchema,
  RequestInfoSchema,
  RetryInfoSchema,
} from "./gen/google/rpc/error_details_pb.ts";
import { FieldSuggestionSchema } from "./gen/lookout/v1/error_pb.ts";
import { LookoutError, type LookoutErrorCode, type LookoutErrorDetail } from "./lookoutError.ts";

/** Turns what a call has thrown into a LookoutError. `baseUrl` is for messages about the address. */
export function toLookoutError(thrown: unknown, baseUrl: string, system?: SystemErrors): LookoutError {
  if (thrown instanceof LookoutError) return thrown;
  const error = ConnectError.from(thrown);
  if (error.cause instanceof LookoutError) return error.cause;
  const [info] = error.findDetails(ErrorInfoSchema);
  return info === undefined ? withoutAnswer(error, baseUrl, system) : answered(error, info.reason);
}

/** The service names its own codes only; one that a later version adds is passed on as it is. */
function answered(error: ConnectError, reason: string): LookoutError {
  const code = reason as LookoutErrorCode;
  const details = detailsOf(error);
  const hint = hints[code] ?? (misspeltCodes.has(code) ? meantValues(error.rawMessage, details) : undefined);
  return new LookoutError(code, `${error.rawMessage}${hint === undefined ? "" : `. ${hint}`}`, {
    details,
    requestId: error.findDetails(RequestInfoSchema)[0]?.requestId ?? error.metadata.get("x-request-id") ?? undefined,
    retryAfterMs: waitOf(error),
  });
}

const hints: Partial<Record<LookoutErrorCode, string>> = {
  INVALID_API_KEY: "Check the apiKey of createLookout",
  AUTH_REQUIRED: "Pass an apiKey to createLookout",
  MISSING_PROJECT_ID: "Pass a websiteId to createLookout or with the query",
  MISSING_WEBSITE_ID: "Pass a websiteId to createLookout or with the call",
};

/** Of a value that is none of a list. */
const misspeltCodes: ReadonlySet<LookoutErrorCode> = new Set<LookoutErrorCode>([
  "VALIDATION_ERROR",
  "UNKNOWN_QUERY_TYPE",
  "INVALID_DATE_PRESET",
]);

/** The suggestions, which the service's message has only in some cases. Of several wrong fields, the hint names each. */
function meantValues(message: string, details: readonly LookoutErrorDetail[]): string | undefined {
  if (/did you mean/i.test(message)) return undefined;
  const meant = details.flatMap(({ field, suggestion }) => {
    if (suggestion === undefined) return [];
    return [details.length === 1 ? suggestion : `${suggestion} for ${field}`];
  });
  return meant.length === 0 ? undefined : `Did you mean ${meant.join(", ")}?`;
}

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

function withoutAnswer(error: ConnectError, baseUrl: string, system: SystemErrors | undefined): LookoutError {
  const status = statusOf(error);
  if (status !== undefined) return answeredByProxy(error, baseUrl, status);
  const problem = system?.connectionProblem(baseUrl, error);
  if (problem !== undefined) return problem;
  switch (error.code) {
    case Code.DeadlineExceeded:
      return new LookoutError(
        "TIMEOUT",
        `${baseUrl} gave no complete answer in time. Try again, or allow more with timeoutMs`,
        { cause: systemErrorOf(error) },
      );
    // The caller's own signal is known before: over HTTP/2 a connection that is closed ends its streams by cancelling them.
    case Code.Canceled:
      return lostConnection(baseUrl, error, error.rawMessage);
    case Code.Unavailable:
      return isAnswer(error) ? answeredByProxy(error, baseUrl) : unreachable(baseUrl, error, system);
    default:
      return new LookoutError(
        "BAD_ANSWER",
        `The answer of ${baseUrl} broke off or is not one of Lookout (${error.rawMessage}). Check baseUrl and the proxies on the way`,
        { cause: systemErrorOf(error) },
      );
  }
}

/** The status of an answer that is none of Connect or gRPC. */
function statusOf({ rawMessage }: ConnectError): number | undefined {
  const [, digits] = /^HTTP (\d{3})$/.exec(rawMessage) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** Whether something answered: Connect keeps the headers of answers. */
function isAnswer({ metadata }: ConnectError): boolean {
  return !metadata.keys().next().done;
}

/** A proxy answered instead of Lookout, as during a restart. */
function answeredByProxy(error: ConnectError, baseUrl: string, status?: number): LookoutError {
  const what = status === undefined ? error.rawMessage : `status ${status}`;
  const { code, message } = meaningOf(baseUrl, what, status, error.metadata.get("location"));
  return new LookoutError(code, message, {
    status,
    retryAfterMs: waitOf(error),
    requestId: error.metadata.get("x-request-id") ?? undefined,
    cause: systemErrorOf(error),
  });
}

/** What it means that something else answered. */
function meaningOf(baseUrl: string, what: string, status: number | undefined, location: string | null) {
  const proxy = `A proxy at ${baseUrl} answered instead of Lookout (${what})`;
  if (status === 429) return { code: "RATE_LIMIT_EXCEEDED", message: `${proxy}. Call less often` } as const;
  if (status === undefined || status === 408 || status >= 500)
    return { code: "SERVICE_UNAVAILABLE", message: `${proxy}. Lookout is down or starts; try again later` } as const;
  const message = `The answer of ${baseUrl} is not one of Lookout (${what}). ${adviceOn(status, location)}`;
  return { code: "BAD_ANSWER", message } as const;
}

function adviceOn(status: number, location: string | null): string {
  if (status < 400)
    return `It redirects${location === null ? "" : ` to ${location}`}: pass the address to which it leads as baseUrl`;
  if (status === 413) return "The request is larger than it takes";
  if (status === 404) return "Check baseUrl and its path";
  return "Check baseUrl and the proxies on the way";
}

/** A call to which nothing was answered. */
export function noAnswer(baseUrl: string, cause: unknown, system: SystemErrors): LookoutError {
  return system.connectionProblem(baseUrl, cause) ?? unreachable(baseUrl, cause, system);
}

/** Nothing answers at the address. */
function unreachable(baseUrl: string, cause: unknown, system: SystemErrors | undefined): LookoutError {
  const { code, message } = innermostOf(cause);
  const reason = code || message;
  const why = reason === "" ? "" : ` (${reason})`;
  const text =
    system?.silentProxy(baseUrl, cause, why) ??
    `Nothing answers at ${baseUrl}${why}. Check baseUrl, and whether Lookout runs and can be reached from here`;
  return new LookoutError("UNREACHABLE", text, { cause: systemErrorOf(cause) });
}
