import { cors as connectCors } from "@connectrpc/connect";

/** A request's headers as node gives them. */
type RequestHeaders = { readonly [name: string]: string | string[] | undefined };

const allowedHeaders = [...new Set([...connectCors.allowedHeaders, "Content-Type", "Authorization", "X-Api-Key"])].join(
  ", ",
);
const exposedHeaders = [...new Set([...connectCors.exposedHeaders, "X-Request-Id", "Retry-After"])].join(", ");

/** A day: the answer depends on nothing that changes. Browsers keep it two hours or less. */
const maxAgeSeconds = "86400";

/** No answer may be kept by a cache (no-store), so none needs to say that it varies with the origin. */
const none = {};

/**
 * Headers for an answer to a page of another origin (Fetch standard, section 3.2). Trackers use sendBeacon, which sends credentials, so
 * the origin must be echoed: measured, no beacon arrives with "*".
 */
export function crossOriginHeaders(headers: RequestHeaders): Record<string, string> {
  const { origin } = headers;
  if (typeof origin !== "string") return none;
  return {
    vary: "Origin",
    "access-control-allow-origin": origin,
    "access-control-allow-credentials": "true",
    "access-control-expose-headers": exposedHeaders,
  };
}

/** Headers for the answer to a preflight; `allow` lists the path's methods. */
export function preflightHeaders(headers: RequestHeaders, allow: string): Record<string, string> {
  const asked = headers["access-control-request-headers"];
  return {
    ...crossOriginHeaders(headers),
    "access-control-allow-methods": allow,
    // Trackers add headers of their own; what a page asks for is allowed when it is a list of header names.
    "access-control-allow-headers":
      typeof asked === "string" && /^[\w-]+(, ?[\w-]+)*$/.test(asked) ? asked : allowedHeaders,
    "access-control-max-age": maxAgeSeconds,
  };
}
