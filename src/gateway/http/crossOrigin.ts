import { cors as connectCors } from "@connectrpc/connect";
import { isOwnOrigin } from "../../access/ownPage.ts";
import type { Config } from "../../config.ts";
import type { Requirement } from "../../gen/access/v1/access_pb.ts";
import { hostOf } from "./httpCall.ts";

/** A request's headers as node provides them. */
type RequestHeaders = { readonly [name: string]: string | string[] | undefined };

const allowedHeaders = [
  ...new Set([...connectCors.allowedHeaders, "Content-Type", "Authorization", "X-Api-Key", "Idempotency-Key"]),
].join(", ");
const rateLimitHeaders = ["Retry-After", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"];
const exposedHeaders = [
  ...new Set([...connectCors.exposedHeaders, "X-Request-Id", "Idempotency-Replayed", ...rateLimitHeaders]),
].join(", ");

/** A day: the answer never changes. Browsers cache it for two hours or less. */
const maxAgeSeconds = "86400";

/** No answer may be cached (no-store), so none needs a Vary header for the origin. */
const none = {};

/**
 * Whether pages of the request's origin may call with cookies. Pages of other origins may only where cookies have no
 * effect: trackers use sendBeacon, which always sends them. `requirement` is undefined if the path is no RPC.
 */
export function allowsCookies(
  requirement: Requirement | undefined,
  headers: RequestHeaders,
  config: Pick<Config, "server" | "accounts">,
): boolean {
  const { origin } = headers;
  if (typeof origin !== "string") return false;
  if (requirement?.open && !requirement.cookie) return true;
  return isOwnOrigin(origin, hostOf({ headers }), config);
}

/**
 * Headers for an answer to a page of another origin (Fetch standard, section 3.2). The origin is echoed, since "*" is
 * not allowed with cookies: measured, no beacon arrives with it.
 */
export function crossOriginHeaders(headers: RequestHeaders, withCookies = false): Record<string, string> {
  const { origin } = headers;
  if (typeof origin !== "string") return none;
  return {
    vary: "Origin",
    "access-control-allow-origin": origin,
    ...(withCookies ? { "access-control-allow-credentials": "true" } : {}),
    "access-control-expose-headers": exposedHeaders,
  };
}

/** Headers for the answer to a preflight; `allow` lists the path's methods. */
export function preflightHeaders(headers: RequestHeaders, allow: string, withCookies: boolean): Record<string, string> {
  const asked = headers["access-control-request-headers"];
  return {
    ...crossOriginHeaders(headers, withCookies),
    "access-control-allow-methods": allow,
    // Trackers add headers of their own; a requested list of headers is allowed if it has the form of header names.
    "access-control-allow-headers":
      typeof asked === "string" && /^[\w-]+(, ?[\w-]+)*$/.test(asked) ? asked : allowedHeaders,
    "access-control-max-age": maxAgeSeconds,
  };
}
