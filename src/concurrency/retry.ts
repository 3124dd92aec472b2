import { setTimeout as pause } from "node:timers/promises";

export type RetryOptions = {
  /** The first wait between two attempts; each further one is twice as long, up to `maxWaitMs`. */
  readonly minWaitMs: number;
  readonly maxWaitMs: number;
  /** How long to keep trying; forever if undefined. */
  readonly giveUpAfterMs?: number;
  /** Whether an error is of no use to try again. */
  readonly isFinal?: (error: unknown) => boolean;
  readonly onRetry: (error: unknown, waitMs: number) => void;
  /** Aborts the waiting. */
  readonly stop: AbortSignal;
};

/**
 * The result of `attempt` as soon as it succeeds. Rejects with an error that is final, with the last error when the next attempt would come
 * after `giveUpAfterMs`, and with the signal's reason as soon as `stop` aborts.
 */
export async function retry<T>(attempt: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { minWaitMs, maxWaitMs, giveUpAfterMs = Number.POSITIVE_INFINITY, isFinal, onRetry, stop } = options;
  const startedMs = performance.now();
  for (let waitMs = minWaitMs; ; waitMs = Math.min(waitMs * 2, maxWaitMs)) {
    stop.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      stop.throwIfAborted();
      if (isFinal?.(error) || performance.now() - startedMs + waitMs > giveUpAfterMs) throw error;
      onRetry(error, waitMs);
    }
    await pause(waitMs, undefined, { signal: stop }).catch(() => stop.throwIfAborted());
  }
}
