import { MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import type { Interceptor } from "@connectrpc/connect";
import { toLookoutError } from "./toLookoutError.ts";

export type RetryOptions = {
  /** How often a call is tried that may be repeated. */
  readonly attempts: number;
  /** The wait before the second try, ms. It doubles each time, and half of it is random. */
  readonly firstWaitMs: number;
};

/**
 * Repeats calls that change nothing when repeated, as their contract says, after temporary failures. Everything stays
 * within the call's timeout.
 */
export function retry(baseUrl: string, { attempts, firstWaitMs }: RetryOptions): Interceptor {
  return (next) => async (request) => {
    const mayRepeat =
      !request.stream && request.method.idempotency !== MethodOptions_IdempotencyLevel.IDEMPOTENCY_UNKNOWN;
    for (let attempt = 1; ; attempt++) {
      try {
        return await next(request);
      } catch (thrown) {
        const error = toLookoutError(thrown, baseUrl);
        if (!mayRepeat || attempt >= attempts || !error.isTemporary || request.signal.aborted) throw thrown;
        await wait(error.retryAfterMs ?? backoffMs(attempt, firstWaitMs), request.signal);
      }
    }
  };
}

/** The wait after the nth failure: doubles each time, and half of it is random, so that clients do not return at once. */
export function backoffMs(failures: number, firstWaitMs: number, mostMs = 30_000): number {
  return Math.min(mostMs, firstWaitMs * 2 ** (failures - 1)) * (0.5 + Math.random() / 2);
}

/** Resolves after a time, or rejects when the signal says so. */
function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", abort);
      resolve();
    }, ms);
    signal.addEventListener("abort", abort, { once: true });
  });
}
