import type { CallContext } from "../../gateway/callContext.ts";
import { holdsAddress, plainAddress } from "../../outbound/addressRanges.ts";

/** Name of the cookie that holds a session. The contract names it too (codegen/openapi/openapiOperations.ts). */
export const sessionCookieName = "session";

const sessionCookie = new RegExp(`(?:^|;\\s*)${sessionCookieName}=([^;]*)`);

/** What the session's cookie holds, as it was sent; undefined without one. */
export function sessionCookieOf(call: Pick<CallContext, "header">): string | undefined {
  const cookies = call.header("cookie");
  return cookies === undefined ? undefined : sessionCookie.exec(cookies)?.[1] || undefined;
}

/** Headers with the session's cookie alone: what else a browser sends is nobody's business here. */
export function cookieHeaders(cookie: string | undefined): Headers {
  return new Headers(cookie === undefined ? {} : { cookie: `${sessionCookieName}=${cookie}` });
}

/** The Set-Cookie among the headers that sets or ends the session; undefined when none does. */
export function sessionCookieIn(headers: Headers): string | undefined {
  return headers.getSetCookie().find((cookie) => cookie.startsWith(`${sessionCookieName}=`));
}

/** What a Set-Cookie of the session sets it to. */
export function cookieValue(setCookie: string): string {
  return setCookie.slice(sessionCookieName.length + 1).split(";", 1)[0] ?? "";
}

/** Adds a Set-Cookie to the answer. */
export function setSessionCookie(call: CallContext, setCookie: string): void {
  call.setHeader("set-cookie", securedCookie(call, setCookie));
}

/** A Set-Cookie, Secure where the person's connection is encrypted (RFC 6265bis, section 4.1.2.5). */
export function securedCookie(call: ConnectionFacts, setCookie: string): string {
  return isEncrypted(call) ? `${setCookie}; Secure` : setCookie;
}

type ConnectionFacts = Pick<CallContext, "app" | "peerAddress" | "header">;

/** As the base URL says, or a proxy that is trusted. */
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
