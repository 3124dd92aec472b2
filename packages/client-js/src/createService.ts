import type { DescMethod, DescService } from "@bufbuild/protobuf";
import { type CallOptions, type Client, createClient, type Transport } from "@connectrpc/connect";
import { withIdempotencyKey } from "./idempotencyKey.ts";
import { LookoutError } from "./lookoutError.ts";
import { rememberResponse } from "./responseOf.ts";
import { mayRepeat, pause, type RetryOptions, waitBeforeRetry } from "./retry.ts";
import { withTextTimes } from "./textTimes.ts";
import { toLookoutError } from "./toLookoutError.ts";

export type ServiceOptions = {
  readonly transport: Transport;
  readonly baseUrl: string;
  readonly timeoutMs: number;
  readonly retry: RetryOptions;
};

type Call = (request: unknown, options?: CallOptions) => unknown;

/**
 * The generated client of a service, whose calls time out and throw a LookoutError. Calls that may be repeated are, within their time.
 * A stream may last, but its first message must arrive in time.
 */
export function createService<T extends DescService>(service: T, options: ServiceOptions): Client<T> {
  const generated = createClient(service, options.transport) as Record<string, Call>;
  const calls = service.methods.map((method) => {
    const call = generated[method.localName] as Call;
    return [method.localName, method.methodKind === "unary" ? unary(call, method, options) : streaming(call, options)];
  });
  // Object.fromEntries forgets the names of the keys.
  return Object.fromEntries(calls) as Client<T>;
}

function unary(call: Call, method: DescMethod, service: ServiceOptions): Call {
  return async (init, options = {}) => {
    const request = withTextTimes(init);
    const { headers, hasKey } = withIdempotencyKey(method, request, options.headers);
    const left = timeLeft(options.timeoutMs ?? service.timeoutMs);
    for (let attempt = 1; ; attempt++) {
      try {
        let received = new Headers();
        const onHeader = (headers: Headers) => {
          received = headers;
          options.onHeader?.(headers);
        };
        const own = headers === undefined ? {} : { headers };
        const answer = await call(request, { ...options, ...own, onHeader, timeoutMs: left() ?? 0 });
        rememberResponse(answer, received, attempt);
        return answer;
      } catch (thrown) {
        const error = toLookoutError(thrown, service.baseUrl);
        const waitMs = waitBeforeRetry(error, attempt, service.retry, left() ?? Number.POSITIVE_INFINITY);
        if (waitMs === undefined || !mayRepeat(method, hasKey) || options.signal?.aborted) throw error;
        await pause(waitMs, options.signal);
        if (options.signal?.aborted) throw new LookoutError("CANCELLED", "The call was cancelled", { cause: error });
      }
    }
  };
}

/** The time that is left of a timeout, ms: at least 1, since Connect takes 0 for no timeout. Undefined without a timeout. */
function timeLeft(timeoutMs: number): () => number | undefined {
  if (timeoutMs <= 0) return () => undefined;
  const endMs = performance.now() + timeoutMs;
  return () => Math.max(1, Math.ceil(endMs - performance.now()));
}

function streaming(call: Call, { baseUrl, timeoutMs }: ServiceOptions): Call {
  return async function* (request, options) {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), options?.timeoutMs ?? timeoutMs);
    const signal = options?.signal === undefined ? late.signal : AbortSignal.any([late.signal, options.signal]);
    try {
      const messages = call(withTextTimes(request), { ...options, signal }) as AsyncIterable<unknown>;
      for await (const message of messages) {
        clearTimeout(timer);
        yield message;
      }
    } catch (error) {
      if (late.signal.aborted)
        throw new LookoutError("TIMEOUT", `${baseUrl} sent nothing in time. Try again, or allow more with timeoutMs`);
      throw toLookoutError(error, baseUrl);
    } finally {
      clearTimeout(timer);
      late.abort();
    }
  };
}
