import { ConnectError } from "@connectrpc/connect";
import { LookoutError } from "./lookoutError.ts";

/** What can be read out of errors of connections where they say why one failed. */
export type SystemErrors = {
  /** What is wrong with the connection, unless it is that nothing answers at all. */
  readonly connectionProblem: (baseUrl: string, cause: unknown) => LookoutError | undefined;
  /** The message about a proxy that does not answer; undefined where it is Lookout's own address. `why` is put into it. */
  readonly silentProxy: (baseUrl: string, cause: unknown, why: string) => string | undefined;
};

/** A connection was lost that was there. */
export function lostConnection(baseUrl: string, cause: unknown, why: string): LookoutError {
  return new LookoutError(
    "BAD_ANSWER",
    `The connection to ${baseUrl} was lost before the answer was complete (${why}). Whether the call was carried out is not known`,
    { cause: systemErrorOf(cause) },
  );
}

/** The innermost error of the system, without what Connect made of it, which would only fill a log. */
export function systemErrorOf(cause: unknown): unknown {
  const innermost = innermostErrorOf(cause);
  if (innermost instanceof ConnectError) return undefined;
  // Several addresses of one host were tried.
  return innermost instanceof AggregateError ? (innermost.errors[0] ?? innermost) : innermost;
}

function innermostErrorOf(cause: unknown): unknown {
  let innermost = cause;
  while (innermost instanceof Error && innermost.cause instanceof Error) innermost = innermost.cause;
  return innermost;
}

/** The system's own words, which fetch and Connect hide in the causes. */
export function innermostOf(cause: unknown): { readonly code: string; readonly message: string } {
  const innermost = innermostErrorOf(cause);
  if (!(innermost instanceof Error)) return { code: "", message: "" };
  const { code } = innermost as { readonly code?: unknown };
  return {
    code: typeof code === "string" ? code : "",
    message: innermost instanceof ConnectError ? innermost.rawMessage : innermost.message,
  };
}
