import { type BlockList, isIPv6 } from "node:net";
import { holdsAddress, parseAddressRanges, plainAddress } from "./addressRanges.ts";
import { embeddedIpv4 } from "./embeddedIpv4.ts";

/**
 * Addresses that no request on a customer's behalf may reach: everything that the IANA special-purpose registries (RFC
 * 6890 and its updates) do not mark as global, and multicast. The metadata services of clouds are among the link-local
 * and private ones.
 */
const refused: BlockList = parseAddressRanges(
  [
    "0.0.0.0/8",
    "10.0.0.0/8",
    "100.64.0.0/10",
    "127.0.0.0/8",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.0.0.0/24",
    "192.0.2.0/24",
    "192.31.196.0/24",
    "192.52.193.0/24",
    "192.88.99.0/24",
    "192.168.0.0/16",
    "192.175.48.0/24",
    "198.18.0.0/15",
    "198.51.100.0/24",
    "203.0.113.0/24",
    "224.0.0.0/4",
    "240.0.0.0/4",
    // Alibaba's and Azure's metadata and host services, in ranges that are otherwise global.
    "100.100.100.200",
    "168.63.129.16",
  ].join(","),
);

/** Only 2000::/3 is handed out as global unicast (RFC 4291, RFC 3587). */
const globalIpv6 = parseAddressRanges("2000::/3");
const refusedIpv6 = parseAddressRanges("2001::/23,2001:db8::/32,2002::/16,3fff::/20,2620:4f:8000::/48");

/**
 * Whether an outbound request must not be sent to this address because it is not a public one. `allowed` are ranges
 * that the operator has opened. Text that is no address is refused.
 */
export function isRefusedAddress(text: string, allowed: BlockList): boolean {
  const address = plainAddress(text);
  if (address === undefined) return true;
  if (holdsAddress(allowed, address)) return false;
  if (!isIPv6(address)) return holdsAddress(refused, address);
  const inner = embeddedIpv4(address);
  if (inner !== undefined) return isRefusedAddress(inner, allowed);
  return !holdsAddress(globalIpv6, address) || holdsAddress(refusedIpv6, address);
}
