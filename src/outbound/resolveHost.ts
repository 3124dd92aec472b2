import { lookup, Resolver } from "node:dns/promises";
import { type BlockList, isIP } from "node:net";
import { isRefusedAddress } from "./refusedRanges.ts";

/** A request that is not made because of its target. The message may be shown. */
export class OutboundRefused extends Error {
  override name = "OutboundRefused";
}

export type Resolved = { readonly address: string; readonly family: 4 | 6 };

/** Which addresses may be used: `family` 0 for both, `allowed` the ranges the operator has opened. */
export type ResolveOptions = { readonly family: 0 | 4 | 6; readonly allowed: BlockList; readonly signal: AbortSignal };

/**
 * The addresses of a URL's host, in the order to try. If one is not public the host as a whole is refused: the owner of
 * a name must not be able to hide it among public ones. The caller connects to exactly these addresses, so that a name
 * that resolves differently the second time (DNS rebinding) gains nothing.
 *
 * Rejects with OutboundRefused, the resolver's error, or the signal's reason.
 */
export async function resolveHost(hostname: string, options: ResolveOptions): Promise<Resolved[]> {
  const host = hostname.replace(/^\[|\]$/g, "");
  const addresses = isIP(host) === 0 ? await addressesOf(host, options) : [host];
  if (addresses.some((address) => isRefusedAddress(address, options.allowed)))
    throw new OutboundRefused(
      `${host} leads to an address that is not public. The operator can open ranges with UPTIME_ALLOW_CIDRS`,
    );
  const resolved = addresses.map((address): Resolved => ({ address, family: isIP(address) === 6 ? 6 : 4 }));
  const usable = resolved.filter(({ family }) => options.family === 0 || family === options.family);
  if (usable.length === 0)
    throw new OutboundRefused(`${host} has no IPv${options.family === 0 ? "4 or IPv6" : options.family} address`);
  return usable;
}

/**
 * Resolves by the name servers without a thread: a name that hangs would block one of the few threads of the process.
 * Names unknown to them, such as those of the hosts file, are resolved by the system.
 */
async function addressesOf(host: string, { signal }: ResolveOptions): Promise<string[]> {
  signal.throwIfAborted();
  const resolver = new Resolver();
  const cancel = () => resolver.cancel();
  signal.addEventListener("abort", cancel, { once: true });
  try {
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    signal.throwIfAborted();
    const found = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    if (found.length > 0) return found;
    const known = await lookup(host, { all: true });
    signal.throwIfAborted();
    return known.map(({ address }) => address);
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}
