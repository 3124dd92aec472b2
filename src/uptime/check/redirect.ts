import { encodedBytes } from "../../text/encodedBytes.ts";

/** A request of a chain of redirects. */
export type Hop = {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
};

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Headers that another host may see after a redirect: those set by a customer may be secret. */
const openHeaders: ReadonlySet<string> = new Set([
  "user-agent",
  "accept",
  "accept-encoding",
  "accept-language",
  "cache-control",
  "content-type",
  "content-length",
]);

/**
 * The target of a redirect, as browsers follow it (Fetch, 4.4 HTTP-redirect fetch); undefined for an answer without
 * one.
 */
export function nextHop(hop: Hop, status: number, location: string | string[] | undefined): Hop | undefined {
  const target = Array.isArray(location) ? location[0] : location;
  if (!redirects.has(status) || target === undefined) return undefined;
  const encoded = encodedBytes(target);
  if (!URL.canParse(encoded, hop.url)) return undefined;
  const url = new URL(encoded, hop.url);
  url.hash = "";
  const becomesGet = (status === 303 && hop.method !== "HEAD") || (status < 303 && hop.method === "POST");
  const kept = Object.entries(hop.headers).filter(
    ([name]) =>
      !(becomesGet && name.startsWith("content-")) && (url.origin === hop.url.origin || openHeaders.has(name)),
  );
  return {
    url,
    method: becomesGet ? "GET" : hop.method,
    headers: Object.fromEntries(kept),
    body: becomesGet ? undefined : hop.body,
  };
}
