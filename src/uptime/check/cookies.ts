import type { CookieJar } from "tough-cookie";
import type { Hop } from "./redirect.ts";

/** The request with the cookies that the answers before it have set for its address, besides those that the monitor sends. */
export function withCookies(hop: Hop, jar: CookieJar): Hop {
  const kept = jar.getCookieStringSync(hop.url.href);
  if (kept === "") return hop;
  const own = hop.headers["cookie"];
  return { ...hop, headers: { ...hop.headers, cookie: own === undefined ? kept : `${own}; ${kept}` } };
}

/** Keeps the cookies of an answer as browsers do (RFC 6265 5.3): none for another site or a public suffix; invalid ones are ignored. */
export function keepCookies(setCookie: string | string[] | undefined, url: URL, jar: CookieJar): void {
  for (const line of [setCookie ?? []].flat()) jar.setCookieSync(line, url.href, { ignoreError: true });
}
