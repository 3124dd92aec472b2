import { holdsAddress, parseAddressRanges } from "./addressRanges.ts";

const nat64 = parseAddressRanges("64:ff9b::/96");

/** The IPv4 address in a NAT64 or mapped address (RFC 6052, RFC 4291 2.5.5.2). */
export function embeddedIpv4(address: string): string | undefined {
  const groups = ipv6Groups(address);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (!isMapped && !holdsAddress(nat64, address)) return undefined;
  const [high = 0, low = 0] = groups.slice(6);
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}

/** The eight groups of 16 bits. The WHATWG URL parser accepts every form, and writes one. */
function ipv6Groups(address: string): number[] {
  const [head = "", tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - before.length - after.length }, () => "0");
  return [...before, ...zeros, ...after].map((group) => Number.parseInt(group, 16));
}
