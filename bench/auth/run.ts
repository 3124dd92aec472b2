/**
 * `npm run bench:auth`: the cost of authorizing a call with a cached API key (lookup, scope, rate limit and its headers), in microseconds of
 * CPU time a call, next to the same loop without the check. JSON out.
 */
import { admit } from "../../src/access/authorize.ts";
import { KeyDirectory } from "../../src/access/keyDirectory.ts";
import { createKeyText } from "../../src/access/keyText.ts";
import { limitCall } from "../../src/access/rateLimit/limitCall.ts";
import { RateLimits } from "../../src/access/rateLimit/rateLimits.ts";
import { requirementOf } from "../../src/access/requirement.ts";
import type { CallContext } from "../../src/call/callContext.ts";
import { readConfig } from "../../src/config.ts";
import { ApiError } from "../../src/errors/errors.ts";
import { HttpCall, type HttpRequest, type HttpResponse } from "../../src/gateway/http/httpCall.ts";
import { RateClass } from "../../src/gen/access/v1/rate_limit_pb.ts";
import { QueryService } from "../../src/gen/lookout/v1/query_pb.ts";
import type { App } from "../../src/main/compose.ts";
import { absolute, type Bench, type BenchRun } from "../../test/kit/bench/bench.ts";
import { runAsScript } from "../../test/kit/bench/runAsScript.ts";
import { median, round } from "../../test/kit/load/figures.ts";
import { type BenchStack, withoutTemporal } from "../../test/kit/stack/benchStacks.ts";

const targetUs = 20;
const requirement = requirementOf(QueryService.method.query);

export const bench: Bench = {
  name: "auth",
  measure: (run) => run.stacks.use({ parts: withoutTemporal }, (stack) => measure(run, stack)),
};

async function measure({ isSmoke }: BenchRun, { postgres, owner }: BenchStack) {
  const calls = isSmoke ? 1_000 : 300_000;
  const rounds = isSmoke ? 1 : 5;
  const config = readConfig({ RATE_LIMIT_QUERY: "1000000000" });
  const { keyCacheMs: cacheMs, cachedKeys: maxCached } = config.access;
  const app = {
    config,
    keys: new KeyDirectory(postgres, { cacheMs, maxCached }, { hits: 0, misses: 0 }),
    rateLimits: new RateLimits(postgres, config.rateLimits.windowMs),
    // The check uses nothing else of an App.
  } as Partial<App> as App;
  const response = {} as HttpResponse;
  const callWith = (apiKey: string) =>
    new HttpCall(app, { headers: { "x-api-key": apiKey } } as Partial<HttpRequest> as HttpRequest, response);
  const spend = async (work: (call: CallContext<App>) => Promise<void>): Promise<number> => {
    const began = process.cpuUsage();
    for (let done = 0; done < calls; done += 1) await work(callWith(owner.apiKey));
    const { user, system } = process.cpuUsage(began);
    return (user + system) / calls;
  };

  const problems = [
    ...(await wrongAdmission(callWith(owner.apiKey), owner.organizationId)),
    // The first has the form of a key, the second not.
    ...(await wrongRefusal(callWith(createKeyText()), "an unknown key")),
    ...(await wrongRefusal(callWith("lk_unknown"), "a mistyped key")),
  ];
  // Without an admission there is nothing to measure.
  if (problems.length > 0) return { settings: { calls, rounds }, figures: {}, problems, details: null };
  const samples: number[] = [];
  for (let index = 0; index <= rounds; index += 1) {
    const withCheck = await spend(check);
    const without = await spend(async () => undefined);
    // The first round warms up.
    if (index > 0) samples.push(withCheck - without);
  }
  const figures = { "a check": absolute(round(median(samples), 2), "µs", "lower", targetUs) };
  return { settings: { calls, rounds }, figures, problems, details: null };
}

/** As the gateway does it for each call. */
async function check(call: CallContext<App>): Promise<void> {
  const admission = admit(requirement, call, () => undefined);
  if (admission !== undefined) await admission;
  limitCall(RateClass.QUERY, requirement.open, call);
}

async function wrongAdmission(call: CallContext<App>, organizationId: string): Promise<string[]> {
  const refusal = await outcomeOf(call);
  const { caller } = call;
  if (refusal === "admitted" && caller?.kind === "key" && caller.organizationId === organizationId) return [];
  return [`a call with the owner's key is ${refusal}, as ${JSON.stringify(caller)}`];
}

async function wrongRefusal(call: CallContext<App>, what: string): Promise<string[]> {
  const found = await outcomeOf(call);
  return found === "refused: INVALID_API_KEY" ? [] : [`a call with ${what} is ${found}`];
}

async function outcomeOf(call: CallContext<App>): Promise<string> {
  try {
    await check(call);
    return "admitted";
  } catch (error) {
    return error instanceof ApiError ? `refused: ${error.code}` : String(error);
  }
}

if (import.meta.main) await runAsScript(bench);
