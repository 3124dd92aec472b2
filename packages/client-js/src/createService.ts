import type { DescMethod, DescService } from "@bufbuild/protobuf";
import { type Client, type CallOptions as ConnectOptions, createClient, type Transport } from "@connectrpc/connect";
import type { CallOptions } from "./callOptions.ts";
import { withIdempotencyKey } from "./idempotencyKey.ts";
import type { Lifetime, RunningCall } from "./lifetime.ts";
import { LookoutError } from "./lookoutError.ts";
import { rememberResponse } from "./responseOf.ts";
import { mayRepeat, pause, type RetryOptions, waitBeforeRetry } from "./retry.ts";
import { attemptTimeout, requireTimeout, shorter } from "./timeouts.ts";
import { withWebsite } from "./withWebsite.ts";

/** What a client does with what programs send and get. */
export type CallChecks = {
  /** The request as it is sent. Throws a LookoutError (VALIDATION_ERROR) for one that cannot be. */
  readonly request: (method: DescMethod, request: unknown) => unknown;
  /** The options of a call as Connect takes them. Throws a LookoutError (VALIDATION_ERROR) for those that cannot be. */
  readonly options?: (options: CallOptions) => ConnectOptions;
  /** Called with an answer, or a message of a stream. Throws a LookoutError (BAD_ANSWER) for one that is not of Lookout. */
  readonly answer?: (method: DescMethod, answer: unknown) => void;
  /** What a call has thrown, as an error of the client. */
  readonly error: (method: DescMethod, thrown: unknown) => LookoutError;
};

export type ServiceOptions = {
  readonly transport: Transport;
  readonly baseUrl: string;
  readonly timeoutMs: number;
  /** Of one try of a call that may be repeated; undefined for the usual one. */
  readonly attemptTimeoutMs?: number | undefined;
  readonly retry: RetryOptions;
  readonly lifetime: Lifetime;
  readonly checks: CallChecks;
  /** The website of calls that need one and name none. */
  readonly websiteId?: string | undefined;
  /** Whether a request has events that are stored once, however often they are sent. Undefined for a client that sends none. */
  readonly haveEventIds?: (method: DescMethod, request: unknown) => boolean;
};

type Call = (request: unknown, options?: CallOptions) => unknown;

type ConnectCall = (request: unknown, options?: ConnectOptions) => unknown;

/**
 * The generated client of a service, whose calls time out and throw a LookoutError. Calls that may be repeated are, within their time.
 * A stream may last, but its first message must arrive in time. All of them end with the client.
 */
export function createService<T extends DescService>(service: T, options: ServiceOptions): Client<T> {
  const generated = createClient(service, options.transport) as Record<string, ConnectCall>;
  const calls = service.methods.map((method) => {
    const call = generated[method.localName] as ConnectCall;
    return [
      method.localName,
      method.methodKind === "unary" ? unary(call, method, options) : streaming(call, method, options),
    ];
  });
  // Object.fromEntries forgets the names of the keys.
  return Object.fromEntries(calls) as Client<T>;
}

function unary(call: ConnectCall, method: DescMethod, service: ServiceOptions): Call {
  return async (init, given) => {
    const options = optionsOf(service, given);
    requireTimeout(options.timeoutMs);
    const request = service.checks.request(method, withWebsite(method, init, service.websiteId));
    const running = service.lifetime.begin(options.signal);
    try {
      const answer = await repeated(call, method, service, request, options, running);
      service.checks.answer?.(method, answer);
      return answer;
    } finally {
      running.end();
    }
  };
}

async function repeated(
  call: ConnectCall,
  method: DescMethod,
  service: ServiceOptions,
  request: unknown,
  options: ConnectOptions,
  running: RunningCall,
): Promise<unknown> {
  const { signal } = running;
  const { headers, hasKey } = withIdempotencyKey(method, request, options.headers);
  const left = timeLeft(options.timeoutMs ?? service.timeoutMs);
  const isRepeated = mayRepeat(method, hasKey || service.haveEventIds?.(method, request) === true);
  // The last try may take all the time that is left.
  const timeoutOf = (attempt: number) => {
    const isLast = !isRepeated || attempt >= service.retry.attempts;
    return isLast ? (left() ?? 0) : (shorter(left(), attemptTimeout(method, service.attemptTimeoutMs)) ?? 0);
  };
  for (let attempt = 1; ; attempt++) {
    try {
      let received = new Headers();
      const onHeader = (headers: Headers) => {
        received = headers;
        options.onHeader?.(headers);
      };
      const own = headers === undefined ? {} : { headers };
      const answer = await call(request, { ...options, ...own, signal, onHeader, timeoutMs: timeoutOf(attempt) });
      rememberResponse(answer, received, attempt);
      return answer;
    } catch (thrown) {
      const error = running.endedBy(thrown) ?? service.checks.error(method, thrown);
      const waitMs = waitBeforeRetry(error, attempt, service.retry, left() ?? Number.POSITIVE_INFINITY);
      if (waitMs === undefined || !isRepeated) throw error;
      await pause(waitMs, signal);
      const end = running.endedBy(error);
      if (end !== undefined) throw end;
    }
  }
}

/** Without checks the compiler has seen to it that the options are some of Connect. */
function optionsOf({ checks }: ServiceOptions, given: CallOptions = {}): ConnectOptions {
  return checks.options?.(given) ?? (given as ConnectOptions);
}

/** The time that is left of a timeout, ms: at least 1, since Connect takes 0 for no timeout. Undefined without a timeout. */
function timeLeft(timeoutMs: number): () => number | undefined {
  if (timeoutMs <= 0) return () => undefined;
  const endMs = performance.now() + timeoutMs;
  return () => Math.max(1, Math.ceil(endMs - performance.now()));
}

function streaming(call: ConnectCall, method: DescMethod, service: ServiceOptions): Call {
  const { baseUrl, lifetime, checks } = service;
  return async function* (init, given) {
    const options = optionsOf(service, given);
    requireTimeout(options.timeoutMs);
    const request = checks.request(method, init);
    const timeoutMs = options.timeoutMs ?? service.timeoutMs;
    const running = lifetime.begin(options.signal);
    const late = new AbortController();
    const timer = timeoutMs === 0 ? undefined : setTimeout(() => late.abort(), timeoutMs);
    const signal = AbortSignal.any([late.signal, running.signal]);
    try {
      // The time is for the first message, so Connect does not get it for the whole stream.
      const messages = call(request, { ...options, signal, timeoutMs: 0 }) as AsyncIterable<unknown>;
      for await (const message of messages) {
        clearTimeout(timer);
        checks.answer?.(method, message);
        yield message;
      }
    } catch (error) {
      const end = running.endedBy(error);
      if (end !== undefined) throw end;
      if (late.signal.aborted)
        throw new LookoutError("TIMEOUT", `${baseUrl} sent nothing in time. Try again, or allow more with timeoutMs`);
      throw checks.error(method, error);
    } finally {
      clearTimeout(timer);
      late.abort();
      running.end();
    }
  };
}
