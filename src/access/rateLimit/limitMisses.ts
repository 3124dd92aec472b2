import { rateLimitExceeded } from "../../errors/errors.ts";
import { clientNetwork } from "./clientNetwork.ts";
import type { LimitedCall } from "./limitCall.ts";

/** Kinds of objects that can be looked up without credentials. */
type Sought = "link" | "website" | "status page";

/**
 * Counts a failed look-up against the caller's network. Throws RATE_LIMIT_EXCEEDED beyond the limit. Only called after
 * the lookup: existing objects must be found after any number of guesses from the same network.
 */
export function countMiss(sought: Sought, call: LimitedCall): void {
  const { config, rateLimits } = call.app;
  const state = rateLimits.take(`missing ${sought}:${clientNetwork(call)}`, config.rateLimits.misses, false);
  if (state !== undefined && !state.isAllowed)
    throw rateLimitExceeded(
      `Too many calls that name a ${sought} that does not exist. Wait before the next one`,
      state,
    );
}
