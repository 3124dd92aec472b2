import type { RateLimits } from "../../access/rateLimit/rateLimits.ts";
import { rateLimitExceeded } from "../../errors/errors.ts";
import type { CheckResultInit } from "../../gen/lookout/services.ts";
import { rounded } from "../../text/rounded.ts";
import type { CheckOutcome, CheckTarget } from "../check/checkTypes.ts";
import type { AssertionOutcome } from "../check/jsonAssertions.ts";
import { runCheck } from "../check/runCheck.ts";
import type { UptimeCall } from "../uptimeCall.ts";

/** A call that checks an address at once. */
export type CheckCall = UptimeCall & { readonly app: { readonly rateLimits: RateLimits } };

/** A person waits for the answer. */
const mostWaitMs = 30_000;
/** Checks a minute of an organization. A person who sets up a monitor needs fewer; more would be load on somebody else's server. */
const mostAMinute = 20;

/**
 * Checks an address once from this process, under the rules of all checks, and stores nothing. Whatever the address does is a result. Rejects
 * with RATE_LIMIT_EXCEEDED.
 */
export async function checkOnce(
  target: CheckTarget,
  organizationId: string,
  { app, signal }: CheckCall,
): Promise<CheckResultInit> {
  const state = app.rateLimits.take(`check:${organizationId}`, mostAMinute);
  if (state !== undefined && !state.isAllowed)
    throw rateLimitExceeded(
      `At most ${mostAMinute} checks a minute outside of the schedule. Wait before the next one`,
      state,
    );
  const { allowedRanges: allowed, maxBodyBytes, region } = app.config.uptime;
  let assertions: readonly AssertionOutcome[] = [];
  const outcome = await runCheck(
    { ...target, timeoutMs: Math.min(target.timeoutMs, mostWaitMs) },
    {
      allowed,
      maxBodyBytes,
      signal,
      // One request is one result: a repetition would hide the first.
      recheckUntilMs: 0,
      onAssertions: (outcomes) => {
        assertions = outcomes;
      },
    },
  );
  return resultMessage(outcome, assertions, region);
}

function resultMessage(
  outcome: CheckOutcome,
  assertions: readonly AssertionOutcome[],
  region: string,
): CheckResultInit {
  const { status, httpCode, responseBytes, sslExpiryMs, error, startedMs } = outcome;
  return {
    status,
    timestamp: new Date(startedMs).toISOString(),
    probeRegion: region,
    httpCode,
    dnsMs: rounded(outcome.dnsMs),
    connectMs: rounded(outcome.connectMs),
    tlsMs: rounded(outcome.tlsMs),
    ttfbMs: rounded(outcome.ttfbMs),
    totalMs: rounded(outcome.totalMs),
    responseBytes,
    ...(sslExpiryMs === undefined ? {} : { sslExpiry: new Date(sslExpiryMs).toISOString() }),
    ...(error === undefined ? {} : { error }),
    assertions: assertions.map(({ assertion: { path, operator, value }, holds, found }) => ({
      path,
      operator,
      value: value === undefined ? "" : JSON.stringify(value),
      holds,
      found,
    })),
  };
}
