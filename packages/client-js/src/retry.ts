import type { DescMethod } from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import type { LookoutError } from "./lookoutError.ts";

export type RetryOptions = {
  /** How often a call is tried that may be repeated. 1 repeats none. */
  readonly attempts: number;
  /** The wait before the second try, ms. It doubles each time, and half of it is random. */
  readonly firstWaitMs: number;
};

/** The longest Retry-After that is waited for; a call that is told to wait longer fails at once. */
export const longestWaitMs = 60_000;

/** Whether a call may be made again after a failure: its contract says so, or its request has an idempotency key or ids of events. */
export function mayRepeat(method: DescMethod, hasKeys: boolean): boolean {
  const { methodKind, idempotency } = method;
  if (methodKind !== "unary") return false;
  return hasKeys || idempotency !== MethodOptions_IdempotencyLevel.IDEMPOTENCY_UNKNOWN;
}

/**
 * How long to wait before the next try after the nth failure, ms; undefined when there is none: the error does not pass by itself, or the
 * service asks for more time than `leftMs`, which the call has left.
 */
export function waitBeforeRetry(
  error: LookoutError,
  failures: number,
  { attempts, firstWaitMs }: RetryOptions,
  leftMs: number,
): number | undefined {
  if (failures >= attempts || !error.isTemporary) return undefined;
  const { retryAfterMs } = error;
  if (retryAfterMs !== undefined && retryAfterMs > longestWaitMs) return undefined;
  // Up to a tenth more, so that clients that were told the same do not return at once.
  const waitMs =
    retryAfterMs === undefined ? backoffMs(failures, firstWaitMs) : retryAfterMs * (1 + Math.random() / 10);
  return waitMs >= leftMs ? undefined : waitMs;
}

/** The wait after the nth failure: doubles each time, and half of it is random, so that clients do not return at once. */
export function backoffMs(failures: number, firstWaitMs: number, mostMs = 30_000): number {
  return Math.min(mostMs, firstWaitMs * 2 ** (failures - 1)) * (0.5 + Math.random() / 2);
}

/** Resolves after a time, or as soon as the signal says so. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    if (signal?.aborted) end();
    else signal?.addEventListener("abort", end, { once: true });
  });
}
