import { Code, ConnectError } from "@connectrpc/connect";
import { BadRequestSchema, ErrorInfoSchema, RequestInfoSchema } from "./gen/google/rpc/error_details_pb.ts";
import { LookoutError, type LookoutErrorCode } from "./lookoutError.ts";

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
    details: error
      .findDetails(BadRequestSchema)
      .flatMap(({ fieldViolations }) => fieldViolations)
      .map(({ field, description }) => ({ field, message: description })),
    requestId: error.findDetails(RequestInfoSchema)[0]?.requestId ?? error.metadata.get("x-request-id") ?? undefined,
    retryAfterMs: waitOf(error.metadata.get("retry-after")),
    cause: error,
  });
}

const hints: Partial<Record<LookoutErrorCode, string>> = {
  INVALID_API_KEY: "Check the apiKey of createLookout",
  AUTH_REQUIRED: "Pass an apiKey to createLookout",
};

function waitOf(retryAfter: string | null): number | undefined {
  const seconds = Number(retryAfter ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds * 1_000 : undefined;
}

function withoutAnswer(error: ConnectError, baseUrl: string): LookoutError {
  const fail = (code: LookoutErrorCode, message: string) => new LookoutError(code, message, { cause: error });
  switch (error.code) {
    case Code.DeadlineExceeded:
      return fail("TIMEOUT", `${baseUrl} gave no complete answer in time. Try again, or allow more with timeoutMs`);
    case Code.Canceled:
      return fail("CANCELLED", "The call was cancelled");
    case Code.Unavailable:
      return unreachable(baseUrl, error);
    default:
      return fail(
        "BAD_ANSWER",
        `The answer of ${baseUrl} broke off or is not one of Lookout (${error.rawMessage}). Check baseUrl and the proxies on the way`,
      );
  }
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
