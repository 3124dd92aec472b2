/**
 * `npm run bench:auth`: the cost of authorizing a call with a cached API key (lookup, scope, rate limit and its headers), in microseconds of
 * CPU time a call, next to the same loop without the check. JSON out; exit code 1 at 20 µs or more.
 */
import pg from "pg";
import { admit } from "../../src/access/authorize.ts";
import { KeyDirectory } from "../../src/access/keyDirectory.ts";
import { limitCall } from "../../src/access/rateLimit/limitCall.ts";
import { RateLimits } from "../../src/access/rateLimit/rateLimits.ts";
import { requirementOf } from "../../src/access/requirement.ts";
import type { App } from "../../src/compose.ts";
import { readConfig } from "../../src/config.ts";
import type { CallContext } from "../../src/gateway/call/callContext.ts";
import { HttpCall, type HttpRequest, type HttpResponse } from "../../src/gateway/http/httpCall.ts";
import { RateClass } from "../../src/gen/access/v1/rate_limit_pb.ts";
import { QueryService } from "../../src/gen/lookout/v1/query_pb.ts";
import { withStack } from "../../test/kit/stack/benchStack.ts";

const calls = 300_000;
const rounds = 5;
const targetUs = 20;

await withStack(undefined, async ({ stack, apiKey }) => {
  const config = readConfig({ RATE_LIMIT_QUERY: "1000000000" });
  const postgres = new pg.Pool({ connectionString: stack.config.postgres.url, max: 2 });
  const app = {
    config,
    keys: new KeyDirectory(
      postgres,
      { cacheMs: config.access.keyCacheMs, maxCached: config.access.cachedKeys },
      { hits: 0, misses: 0 },
    ),
    rateLimits: new RateLimits(postgres, config.rateLimits.windowMs),
    // The check uses nothing else of an App.
  } as Partial<App> as App;
  const requirement = requirementOf(QueryService.method.query);
  const none = () => undefined;
  const check = async (call: CallContext<App>): Promise<void> => {
    const admission = admit(requirement, call, none);
    if (admission !== undefined) await admission;
    limitCall(RateClass.QUERY, requirement.open, call);
  };
  const request = { headers: { "x-api-key": apiKey } } as Partial<HttpRequest> as HttpRequest;
  const response = {} as HttpResponse;

  const measure = async (work: (call: CallContext<App>) => Promise<void>): Promise<number> => {
    const began = process.cpuUsage();
    for (let done = 0; done < calls; done += 1) await work(new HttpCall(app, request, response));
    const { user, system } = process.cpuUsage(began);
    return (user + system) / calls;
  };

  const samples: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const withCheck = await measure(check);
    const without = await measure(async () => undefined);
    // The first round warms up.
    if (round > 0) samples.push(withCheck - without);
  }
  await postgres.end();
  const checkUs = samples.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? Number.NaN;
  console.log(
    JSON.stringify(
      { benchmark: "auth", calls, rounds, checkUs: Math.round(checkUs * 100) / 100, targetUs, met: checkUs < targetUs },
      null,
      2,
    ),
  );
  if (!(checkUs < targetUs)) process.exitCode = 1;
});
