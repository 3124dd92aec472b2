import { validationError } from "../errors.ts";

/** What browsers and servers take everywhere; RFC 9110, section 4.1 asks for at least 8,000. */
const maxLength = 2_048;

/** Hosts on which this service answers itself, in lower case: with port where it is not the scheme's own. */
export type OwnHosts = { has(host: string): boolean };

/**
 * An address that a link leads to, as the URL standard writes it. Throws VALIDATION_ERROR that names the field for anything but http and
 * https, for a user name in it, and for a link of our own: a chain of links may end where it began.
 */
export function readTargetUrl(text: string, field: string, ownHosts: OwnHosts): string {
  const refuse = (message: string) => validationError([{ field, message }]);
  if (!URL.canParse(text)) throw refuse("must be an absolute http or https URL such as https://example.com/sale");
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:") throw refuse("must begin with http:// or https://");
  if (url.username !== "" || url.password !== "") throw refuse("must not hold a user name or password");
  if (/^\/+l\//.test(url.pathname) && ownHosts.has(plainHostOf(url)))
    throw refuse("leads to a short link again; send the address that one leads to");
  if (url.href.length > maxLength) throw refuse(`must be at most ${maxLength} characters long once it is encoded`);
  return url.href;
}

/** Host and port of an address as they are compared. A dot at the end names the same host (RFC 1034, section 3.1). */
export function plainHostOf({ hostname, port }: Pick<URL, "hostname" | "port">): string {
  const host = hostname.toLowerCase().replace(/\.$/, "");
  return port === "" ? host : `${host}:${port}`;
}
