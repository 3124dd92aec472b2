import { isIPv6 } from "node:net";
import { embeddedIpv4 } from "../../outbound/embeddedIpv4.ts";

/** The host of this computer, whichever of its names or addresses is used. */
export const thisComputer = "localhost";

/**
 * Host and port of an address in one spelling, so that hosts can be compared: in lower case, without a trailing dot
 * (RFC 1034, section 3.1), without the scheme's default port, IPv4-mapped IPv6 addresses as IPv4, and one name for this
 * computer. The URL parser has already normalised other forms of IPv4 addresses, such as 0x7f000001.
 */
export function comparableHost({ hostname, port }: Pick<URL, "hostname" | "port">): string {
  const host = comparableHostname(
    hostname
      .toLowerCase()
      .replace(/\.$/, "")
      .replace(/^\[|\]$/g, ""),
  );
  return port === "" ? host : `${host}:${port}`;
}

function comparableHostname(host: string): string {
  const address = isIPv6(host) ? (embeddedIpv4(host) ?? host) : host;
  return ownNames.test(address) ? thisComputer : address;
}

/** RFC 6761, section 6.3; RFC 1122, section 3.2.1.3; RFC 4291, sections 2.5.2 and 2.5.3. */
const ownNames = /^(?:(?:.*\.)?localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|::1?)$/;
