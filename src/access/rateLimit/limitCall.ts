import { type DescMethod, getOption, hasOption } from "@bufbuild/protobuf";
import type { CallContext } from "../../call/callContext.ts";
import type { Caller } from "../../call/caller.ts";
import type { Config } from "../../config.ts";
import { rateLimitExceeded } from "../../errors/errors.ts";
import { RateClass, rate_class as rateClassOption } from "../../gen/access/v1/rate_limit_pb.ts";
import { clientNetwork } from "./clientNetwork.ts";
import type { RateLimits } from "./rateLimits.ts";
import type { LimitState } from "./slidingWindow.ts";

/** A call that is counted. */
export type LimitedCall = CallContext<{
  readonly config: Pick<Config, "ingest" | "rateLimits">;
  readonly rateLimits: RateLimits;
}>;

/** The rate limit that calls of an RPC count towards. */
export function rateClassOf(method: DescMethod): RateClass {
  return hasOption(method, rateClassOption) ? getOption(method, rateClassOption) : RateClass.UNSPECIFIED;
}

/**
 * Counts an admitted call, and sets headers with the remaining calls. Throws RATE_LIMIT_EXCEEDED (specification part 7,
 * rule 4).
 *
 * Callers without credentials, for public websites, are limited by address. RPCs without any requirement are not
 * counted.
 */
export function limitCall(rateClass: RateClass, isOpen: boolean, call: LimitedCall): void {
  if (isOpen || rateClass === RateClass.INGEST) return;
  hold(call.caller === undefined ? takeAnonymous(call) : takeOwn(rateClass, call, subjectOf(call.caller)), call);
}

/** The same for an open call that costs more than others, by address. */
export function limitOpenCall(call: LimitedCall): void {
  hold(takeAnonymous(call), call);
}

function hold(state: LimitState | undefined, call: LimitedCall): void {
  if (state === undefined) return;
  if (!state.isAllowed)
    throw rateLimitExceeded("Too many calls of this kind within a minute. Wait before the next one", state);
  call.setHeader("x-ratelimit-limit", String(state.limit));
  call.setHeader("x-ratelimit-remaining", String(state.remaining));
  call.setHeader("x-ratelimit-reset", String(Math.ceil((Date.now() + state.resetMs) / 1_000)));
}

function takeAnonymous(call: LimitedCall): LimitState | undefined {
  const { config, rateLimits } = call.app;
  return rateLimits.take(`address:${clientNetwork(call)}`, config.rateLimits.anonymous, false);
}

function takeOwn(rateClass: RateClass, call: LimitedCall, subject: string): LimitState | undefined {
  const { config, rateLimits } = call.app;
  const { query, custom, manage } = config.rateLimits;
  if (rateClass === RateClass.QUERY) return rateLimits.take(`query:${subject}`, query);
  if (rateClass === RateClass.CUSTOM) return rateLimits.take(`custom:${subject}`, custom);
  return rateLimits.take(`manage:${subject}`, manage);
}

/** A key has a count of its own, a person one for all sessions. */
function subjectOf(caller: Caller): string {
  return caller.kind === "key" ? `key:${caller.keyId}` : `user:${caller.userId}`;
}
