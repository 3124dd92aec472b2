import type { BlockList } from "node:net";
import { holdsAddress, plainAddress } from "../outbound/addressRanges.ts";
import type { CallContext } from "./callContext.ts";

/** The parts of a call that show its address. */
type AddressSource = Pick<CallContext, "peerAddress" | "header">;

/**
 * The client address of a request; undefined when no trusted source has it. Only headers of trusted proxies count, and
 * in a list only the entries that trusted proxies added: it is read from its end up to the first address that is not a
 * trusted proxy.
 *
 * Headers, the first present one: X-Forwarded-For, Forwarded (RFC 7239), X-Real-IP, CF-Connecting-IP.
 */
export function readClientAddress(request: AddressSource, trustedProxies: BlockList): string | undefined {
  const peer = plainAddress(request.peerAddress ?? "");
  if (peer === undefined || !holdsAddress(trustedProxies, peer)) return peer;
  const hops = readHops(request);
  if (hops === undefined) return peer;
  let client: string | undefined;
  const first = Math.max(0, hops.length - maxHops);
  for (let index = hops.length - 1; index >= first; index -= 1) {
    client = plainAddress(withoutPort(hops[index] ?? ""));
    // Nothing precedes the first hop, so it does not matter whether that one is trusted.
    if (client === undefined || index === first || !holdsAddress(trustedProxies, client)) return client;
  }
  return client;
}

/** Addresses as the proxies listed them, the client's first; undefined when no header has any. */
function readHops(request: AddressSource): string[] | undefined {
  const list = request.header("x-forwarded-for");
  if (list !== undefined) return list.includes(",") ? list.split(",").map((hop) => hop.trim()) : [list.trim()];
  const forwarded = request.header("forwarded");
  if (forwarded !== undefined)
    return [...forwarded.matchAll(forwardedFor)].map(([, quoted, token]) => quoted ?? token ?? "");
  const single = request.header("x-real-ip") ?? request.header("cf-connecting-ip");
  return single === undefined ? undefined : [single.trim()];
}

/** Members of RFC 7239, section 4: `for=192.0.2.60;proto=http, for="[2001:db8::1]:4711"`. */
const forwardedFor = /(?:^|[;,\s])for=(?:"([^"]*)"|([^;,\s"]*))/gi;

/** `192.0.2.1:80` and `[2001:db8::1]:80`. */
function withoutPort(hop: string): string {
  if (!/[[:]/.test(hop)) return hop;
  return /^\[([^\]]*)\](?::\d+)?$/.exec(hop)?.[1] ?? hop.replace(/^([\d.]+):\d+$/, "$1");
}

/** No real chain is this long; without a limit a client could make us compare thousands. */
const maxHops = 32;
