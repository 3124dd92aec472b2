import { setTimeout as pause } from "node:timers/promises";

const leastWaitMs = 250;
const mostWaitMs = 5_000;

/** Long enough for a Temporal that starts beside us on a busy machine. */
const patienceMs = 300_000;

/**
 * The result of `attempt` as soon as it succeeds. Waits from 250 ms up to 5 s between attempts and rejects with the last error
 * after 5 minutes, or with AbortError as soon as `stop` aborts.
 */
export async function retryUntilReady<T>(
  attempt: () => Promise<T>,
  { stop, onRetry }: { stop: AbortSignal; onRetry: (error: unknown, waitMs: number) => void },
): Promise<T> {
  const startedMs = performance.now();
  for (let waitMs = leastWaitMs; ; waitMs = Math.min(waitMs * 2, mostWaitMs)) {
    stop.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() - startedMs + waitMs > patienceMs) throw error;
      onRetry(error, waitMs);
      await pause(waitMs, undefined, { signal: stop });
    }
  }
}
