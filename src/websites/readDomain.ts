import { validationError } from "../errors/errors.ts";

/** RFC 1123, and the underscore that some host names have. */
const label = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

const maxHostLength = 253;

/**
 * The host of a domain or an address in stored form: in lower case, in ASCII (IDNA), without scheme, port, path and
 * trailing dot. `www.` is kept, since it is part of the name; events count for `example.com` and `www.example.com`
 * alike. A single label such as `localhost` and an IPv4 address are hosts as well. Throws VALIDATION_ERROR for anything
 * else.
 */
export function readDomain(given: string): string {
  const host = hostOf(given.trim());
  if (host === undefined)
    throw validationError([{ field: "domain", message: "must be a domain such as example.com, or an address on it" }]);
  return host;
}

/** The same; undefined for anything else. */
export function hostOf(given: string): string | undefined {
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(given) ? given : `http://${given}`;
  if (/[\s\p{Cc}]/u.test(given) || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  if (!/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") return undefined;
  const host = url.hostname.replace(/\.$/, "");
  // The URL parser reads numbers such as 1.2 or 0x7f000001 as IPv4 addresses, which are not meant here.
  const isUnmeantAddress = /^[\d.]+$/.test(host) && !address.toLowerCase().includes(host);
  const isHost = host.length <= maxHostLength && host.split(".").every((part) => label.test(part));
  return isHost && !isUnmeantAddress ? host : undefined;
}
