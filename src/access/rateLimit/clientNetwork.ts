import { isIPv6 } from "node:net";
import type { CallContext } from "../../call/callContext.ts";
import { readClientAddress } from "../../call/clientAddress.ts";
import type { Config } from "../../config.ts";

/** The client network of a call, the unit of rate limits; the same text for all calls without a trusted address. */
export function clientNetwork(call: CallContext<{ readonly config: Pick<Config, "ingest"> }>): string {
  return networkOf(readClientAddress(call, call.app.config.ingest.trustedProxies) ?? "unknown");
}

/** An IPv6 address is counted by its /64, since a client usually owns all addresses of it. */
function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [left = "", right] = address.split("::");
  const head = left === "" ? [] : left.split(":");
  const tail = right === undefined || right === "" ? [] : right.split(":");
  const zeros = Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => "0");
  return [...head, ...zeros, ...tail].slice(0, 4).join(":");
}
