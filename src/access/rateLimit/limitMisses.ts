import { rateLimitExceeded } from "../../errors.ts";
import type { CallContext } from "../../gateway/callContext.ts";
import { clientNetwork } from "./clientNetwork.ts";

/** What strangers may look for without credentials. */
type Sought = "link" | "website";

/**
 * Counts a look-up of the caller's address that finds nothing, so that guessing is slow. Gives back what takes the count back, for a
 * look-up that turns out to find something: so guesses at once count too. Throws RATE_LIMIT_EXCEEDED past the limit.
 */
export function takeMiss(sought: Sought, call: CallContext): () => void {
  const { config, rateLimits } = call.app;
  const subject = `missing ${sought}:${clientNetwork(call)}`;
  const verdict = rateLimits.take(subject, config.rateLimits.misses, false);
  if (verdict !== undefined && !verdict.isAllowed)
    throw rateLimitExceeded(
      `Too many calls that name a ${sought} that does not exist. Wait before the next one`,
      verdict,
    );
  return () => rateLimits.giveBack(subject);
}
