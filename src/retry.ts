import { setTimeout as sleep } from "node:timers/promises";

/** Runs `attempt` until it resolves, `attempts` times at most with `waitMs` between; rejects with the last error. */
export async function retry<T>(
  attempt: () => Promise<T>,
  options: { attempts: number; waitMs: number; onRetry(error: unknown): void },
): Promise<T> {
  for (let made = 1; ; made += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (made >= options.attempts) throw error;
      options.onRetry(error);
      await sleep(options.waitMs);
    }
  }
}
