import type { Config } from "../config.ts";
import type { CallContext } from "../gateway/call/callContext.ts";
import { holdsAddress, plainAddress } from "../outbound/addressRanges.ts";

/** The name of the session cookie. The contract has it too (codegen/openapi/openapiOperations.ts). */
export const sessionCookieName = "session";

const sessionCookie = new RegExp(`(?:^|;\\s*)${sessionCookieName}=([^;]*)`);

/** The value of the session cookie, as it was sent; undefined without one. */
export function sessionCookieOf(call: Pick<CallContext, "header">): string | undefined {
  const cookies = call.header("cookie");
  return cookies === undefined ? undefined : sessionCookie.exec(cookies)?.[1] || undefined;
}

/** Headers with only the session cookie; better-auth needs nothing else of the request. */
export function cookieHeaders(cookie: string | undefined): Headers {
  return new Headers(cookie === undefined ? {} : { cookie: `${sessionCookieName}=${cookie}` });
}

/** The Set-Cookie header that sets or ends the session; undefined when there is none. */
export function sessionCookieIn(headers: Headers): string | undefined {
  return headers.getSetCookie().find((cookie) => cookie.startsWith(`${sessionCookieName}=`));
}

/** The session cookie's value in a Set-Cookie header. */
export function cookieValue(setCookie: string): string {
  return setCookie.slice(sessionCookieName.length + 1).split(";", 1)[0] ?? "";
}

/** Adds a Set-Cookie to the answer. */
export function setSessionCookie(call: ConnectionFacts & Pick<CallContext, "setHeader">, setCookie: string): void {
  call.setHeader("set-cookie", securedCookie(call, setCookie));
}

/** A Set-Cookie header, with Secure if the person's connection is encrypted (RFC 6265bis, section 4.1.2.5). */
export function securedCookie(call: ConnectionFacts, setCookie: string): string {
  return isEncrypted(call) ? `${setCookie}; Secure` : setCookie;
}

type ConnectionFacts = Pick<
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
