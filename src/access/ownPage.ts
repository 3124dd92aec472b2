import type { CallContext } from "../call/callContext.ts";
import type { Config } from "../config.ts";
import { ApiError } from "../errors/errors.ts";
import { type ConnectionFacts, sessionCookieOf } from "./sessionCookie.ts";

/** The settings of trusted origins. */
type OwnOrigins = {
  readonly server: Pick<Config["server"], "baseUrl">;
  readonly accounts: Pick<Config["accounts"], "trustedOrigins">;
};

/** The parts of a call that show which page it comes from. */
type PageSource = Pick<
  CallContext<{ readonly config: OwnOrigins }>,
  "app" | "verb" | "host" | "isNativeGrpc" | "header"
>;

/**
 * Whether pages of an origin may act for people who are signed in: the service's own address, the address that the
 * request was sent to, and TRUSTED_ORIGINS.
 */
export function isOwnOrigin(origin: string, host: string | undefined, { server, accounts }: OwnOrigins): boolean {
  if (accounts.trustedOrigins.has(origin)) return true;
  if (!URL.canParse(origin)) return false;
  const given = new URL(origin);
  return given.origin === new URL(server.baseUrl).origin || (given.host === host && /^https?:$/.test(given.protocol));
}

/**
 * Throws FORBIDDEN for a call with a session cookie unless it provably does not come from a foreign page. Browsers send
 * the cookie on their own, so the cookie alone does not show the person's intent (OWASP, Cross-Site Request Forgery
 * Prevention). Calls that change nothing need no proof, since a foreign page cannot read the answer. Neither do gRPC
 * calls: their clients are programs, which send no page; one that does is checked by it.
 */
export function requireOwnPage(call: PageSource): void {
  const isSafe = call.verb === "GET" || call.verb === "HEAD";
  const isProgram = call.isNativeGrpc && !namesItsPage(call);
  if (isSafe || isProgram || comesFromOwnPage(call)) return;
  throw forbidden();
}

/** Throws FORBIDDEN for an open call that sets or reads the session cookie when a foreign page may have sent it. */
export function refuseForeignPages(call: PageSource & ConnectionFacts): void {
  if (sessionCookieOf(call) !== undefined) requireOwnPage(call);
  else if (namesItsPage(call) && !comesFromOwnPage(call)) throw forbidden();
}

/** The Origin is our own, or the browser says so (Fetch Metadata, section 2.4). */
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
