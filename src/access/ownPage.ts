import { sessionCookieOf } from "../accounts/session/sessionCookie.ts";
import type { Config } from "../config.ts";
import { ApiError } from "../errors.ts";
import type { CallContext } from "../gateway/callContext.ts";

/** What tells whose pages are trusted. */
type OwnOrigins = {
  readonly server: Pick<Config["server"], "baseUrl">;
  readonly accounts: Pick<Config["accounts"], "trustedOrigins">;
};

/** What of a call tells which page it comes from. */
type PageSource = Pick<CallContext, "app" | "verb" | "host" | "isNativeGrpc" | "header">;

/**
 * Whether pages of an origin may act for the people who are signed in: those at the service's own address, at the address that the
 * request was sent to, and those of TRUSTED_ORIGINS.
 */
export function isOwnOrigin(origin: string, host: string | undefined, { server, accounts }: OwnOrigins): boolean {
  if (accounts.trustedOrigins.has(origin)) return true;
  if (!URL.canParse(origin)) return false;
  const given = new URL(origin);
  return given.origin === new URL(server.baseUrl).origin || (given.host === host && /^https?:$/.test(given.protocol));
}

/**
 * Throws FORBIDDEN for a call with a session's cookie that does not prove that no page of a stranger sent it. The browser sends the cookie
 * by itself, so the cookie alone does not show that the person wanted the call (OWASP, Cross-Site Request Forgery Prevention). What changes
 * nothing needs no proof, since a stranger's page cannot read the answer. Neither does a call over gRPC: its clients are programs, which name no
 * page. One that names a page all the same is checked by it.
 */
export function requireOwnPage(call: PageSource): void {
  const isSafe = call.verb === "GET" || call.verb === "HEAD";
  const isProgram = call.isNativeGrpc && !namesItsPage(call);
  if (isSafe || isProgram || comesFromOwnPage(call)) return;
  throw forbidden();
}

/** Throws FORBIDDEN for an open call that sets or reads the session's cookie when a stranger's page may have sent it. */
export function refuseForeignPages(call: PageSource): void {
  if (sessionCookieOf(call) !== undefined) requireOwnPage(call);
  else if (namesItsPage(call) && !comesFromOwnPage(call)) throw forbidden();
}

/** Its Origin is our own, or the browser says so itself (Fetch Metadata, section 2.4). */
function comesFromOwnPage(call: PageSource): boolean {
  const origin = call.header("origin");
  if (origin !== undefined) return isOwnOrigin(origin, call.host, call.app.config);
  const site = call.header("sec-fetch-site");
  return site === "same-origin" || site === "none";
}

function namesItsPage(call: PageSource): boolean {
  return call.header("origin") !== undefined || call.header("sec-fetch-site") !== undefined;
}

function forbidden(): ApiError {
  return new ApiError(
    "FORBIDDEN",
    "A session is only good for calls from the service's own pages. Send the header 'Origin' with the service's address, or use an API key",
  );
}
