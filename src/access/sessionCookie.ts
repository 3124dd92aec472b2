import type { CallContext } from "../call/callContext.ts";
import type { Config } from "../config.ts";
import { holdsAddress, plainAddress } from "../outbound/addressRanges.ts";

/** The name of the session cookie inside better-auth; browsers and clients see the one of `shownCookie`. */
export const sessionCookieName = "session";

/**
 * The name that other programs on the same host do not use: browsers keep the cookies of all ports together. The
 * contract has it too (codegen/openapi/openapiOperations.ts).
 */
const plainName = "lookout_session";

/** Browsers take a cookie of this name only over TLS, for this host alone and its whole path (RFC 6265bis, 4.1.3.2). */
const hostName = `__Host-${plainName}`;

type ShownCookie = { readonly name: string; readonly path: string; readonly isSecure: boolean };

/** How the person's browser keeps the session cookie: for the path of the base URL, which a proxy may share with others. */
function shownCookie(call: ConnectionFacts): ShownCookie {
  const path = call.app.config.server.baseUrl.replace(/^[a-z]+:\/\/[^/]*/, "") || "/";
  const isSecure = isEncrypted(call);
  return { name: isSecure && path === "/" ? hostName : plainName, path, isSecure };
}

const values = {
  [plainName]: new RegExp(`(?:^|;\\s*)${plainName}=([^;]*)`),
  [hostName]: new RegExp(`(?:^|;\\s*)${hostName}=([^;]*)`),
};

/** The value of the session cookie, as it was sent; undefined without one. */
export function sessionCookieOf(call: ConnectionFacts): string | undefined {
  const cookies = call.header("cookie");
  if (cookies === undefined) return undefined;
  const pattern = shownCookie(call).name === hostName ? values[hostName] : values[plainName];
  return pattern.exec(cookies)?.[1] || undefined;
}

/** Headers with only the session cookie; better-auth needs nothing else of the request. */
export function cookieHeaders(cookie: string | undefined): Headers {
  return new Headers(cookie === undefined ? {} : { cookie: `${sessionCookieName}=${cookie}` });
}

/** The Set-Cookie header of better-auth that sets or ends the session; undefined when there is none. */
export function sessionCookieIn(headers: Headers): string | undefined {
  return headers.getSetCookie().find((cookie) => cookie.startsWith(`${sessionCookieName}=`));
}

/** The session cookie's value in such a header. */
export function cookieValue(setCookie: string): string {
  return setCookie.slice(sessionCookieName.length + 1).split(";", 1)[0] ?? "";
}

/** Adds a Set-Cookie to the answer. */
export function setSessionCookie(call: ConnectionFacts & Pick<CallContext, "setHeader">, setCookie: string): void {
  call.setHeader("set-cookie", securedCookie(call, setCookie));
}

/**
 * A Set-Cookie header of better-auth as browsers get it: with Secure if the person's connection is encrypted (RFC
 * 6265bis, section 4.1.2.5), and the session under its own name and path.
 */
export function securedCookie(call: ConnectionFacts, setCookie: string): string {
  const { name, path, isSecure } = shownCookie(call);
  const isSession = setCookie.startsWith(`${sessionCookieName}=`);
  const shown = isSession
    ? setCookie.replace(/^[^=]*/, name).replace(/; Path=\/(?=;|$)/i, `; Path=${path}`)
    : setCookie;
  return isSecure ? `${shown}; Secure` : shown;
}

/** The parts of a call that show how its person is connected. */
export type ConnectionFacts = Pick<
  CallContext<{ readonly config: Pick<Config, "server" | "ingest"> }>,
  "app" | "peerAddress" | "header"
>;

/** By the base URL, or by a trusted proxy. */
function isEncrypted(call: ConnectionFacts): boolean {
  const { server, ingest } = call.app.config;
  if (server.baseUrl.startsWith("https:")) return true;
  const peer = plainAddress(call.peerAddress ?? "");
  if (peer === undefined || !holdsAddress(ingest.trustedProxies, peer)) return false;
  return (
    call.header("x-forwarded-proto")?.split(",")[0]?.trim() === "https" ||
    /(?:^|[;,\s])proto="?https\b/i.test(call.header("forwarded") ?? "")
  );
}
