import type { CallOptions as ConnectOptions, ContextValues } from "@connectrpc/connect";
import type { LookoutErrorDetail } from "./lookoutError.ts";
import { nearestName } from "./nearestName.ts";
import { requireNone } from "./readRequest.ts";

/** Headers of a call. Those that are undefined are left out. */
export type CallHeaders =
  | Headers
  | Iterable<readonly [string, string]>
  | { readonly [name: string]: string | undefined };

/** Options of a call. Those that are undefined are left out. */
export type CallOptions = {
  /** Ends the call, which then throws CANCELLED. */
  readonly signal?: AbortSignal | undefined;
  /** How long the call may take with its retries, ms; of a stream, until its first message. 0 is no limit. The default is that of createLookout. */
  readonly timeoutMs?: number | undefined;
  /** Headers of the request, such as `idempotency-key`. */
  readonly headers?: CallHeaders | undefined;
  /** Called with the headers of each answer. */
  readonly onHeader?: ((headers: Headers) => void) | undefined;
  /** Called with the trailers of each answer. */
  readonly onTrailer?: ((trailers: Headers) => void) | undefined;
  /** Values for interceptors. */
  readonly contextValues?: ContextValues | undefined;
};

const known: readonly string[] = [
  "signal",
  "timeoutMs",
  "headers",
  "onHeader",
  "onTrailer",
  "contextValues",
] satisfies (keyof CallOptions)[];

/**
 * The options of a call without those that are undefined. Throws a LookoutError (VALIDATION_ERROR) that names each option that there is not, and
 * each header that cannot be sent, without its value.
 */
export function readCallOptions(options: CallOptions): ConnectOptions {
  const problems = unknownOptions(options, known, "a call");
  const headers = options.headers === undefined ? undefined : readHeaders(options.headers, problems);
  requireNone(problems);
  const stated = Object.entries({ ...options, headers }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(stated);
}

/** What is wrong with the names of options. */
export function unknownOptions(
  options: object,
  names: readonly string[],
  owner: string,
  path = "",
): LookoutErrorDetail[] {
  const unknown = Object.entries(options).filter(([name, value]) => value !== undefined && !names.includes(name));
  return unknown.map(([name]) => {
    const field = path + name;
    const suggestion = nearestName(name, names);
    const message = `is no option of ${owner}`;
    return suggestion === undefined
      ? { field, message }
      : { field, message: `${message}; did you mean ${suggestion}?`, suggestion };
  });
}

function readHeaders(given: CallHeaders, problems: LookoutErrorDetail[]): Headers {
  const read = new Headers();
  const pairs: Iterable<readonly [string, string | undefined]> =
    Symbol.iterator in given ? (given as Iterable<readonly [string, string]>) : Object.entries(given);
  for (const [name, value] of pairs) {
    if (value === undefined) continue;
    const problem = headerProblem(name, String(value));
    if (problem === undefined) read.append(name, value);
    else problems.push({ field: `headers.${name}`, message: problem });
  }
  return read;
}

/** As HTTP has it: names of a few characters, values of one byte each. */
function headerProblem(name: string, value: string): string | undefined {
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return "is no name of a header";
  if (/^[\t\x20-\x7e\x80-\xff]*$/.test(value.trim())) return undefined;
  return "has a character that no header takes. Encode it, as encodeURIComponent does";
}
