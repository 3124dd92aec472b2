import { BlockList, isIP } from "node:net";

/**
 * The network address in a text such as `::ffff:192.0.2.1` or `fe80::1%eth0`, in its plain form; undefined for anything
 * else.
 */
export function plainAddress(text: string): string | undefined {
  const address = /[:%]/.test(text) ? text.replace(/%.*$/, "").replace(/^::ffff:(?=\d+\.)/i, "") : text;
  return isIP(address) === 0 ? undefined : address;
}

/**
 * Parses addresses and CIDR ranges (RFC 4632, RFC 4291) separated by commas. Throws RangeError that names the first
 * invalid one.
 */
export function parseAddressRanges(text: string): BlockList {
  const ranges = new BlockList();
  for (const entry of text.split(",").map((part) => part.trim())) {
    if (entry === "") continue;
    const [start = "", bits, ...rest] = entry.split("/");
    const family = isIP(start) === 6 ? "ipv6" : "ipv4";
    const most = family === "ipv6" ? 128 : 32;
    if (isIP(start) === 0 || rest.length > 0 || (bits !== undefined && !(/^\d{1,3}$/.test(bits) && +bits <= most)))
      throw new RangeError(`"${entry}"`);
    ranges.addSubnet(start, bits === undefined ? most : Number(bits), family);
  }
  return ranges;
}

/** Whether one of the ranges contains the address, which is in its plain form. */
export function holdsAddress(ranges: BlockList, address: string): boolean {
  return ranges.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}
