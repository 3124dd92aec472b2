import { describe, expect, it } from "vitest";
import { retry } from "../../src/concurrency/retry.ts";

/** Fails with its number until the attempt `succeedsAt`. */
function attempts(succeedsAt: number) {
  let made = 0;
  return async () => {
    made += 1;
    if (made < succeedsAt) throw new Error(`attempt ${made}`);
    return made;
  };
}

const options = { minWaitMs: 1, maxWaitMs: 4, onRetry: () => undefined, stop: new AbortController().signal };

describe("A store that is not up yet", () => {
  it("is retried after waits that double up to a maximum", async () => {
    const retries: unknown[] = [];
    const onRetry = (error: unknown, waitMs: number) => retries.push([String(error), waitMs]);
    expect(await retry(attempts(5), { ...options, onRetry })).toBe(5);
    expect(retries).toEqual([
      ["Error: attempt 1", 1],
      ["Error: attempt 2", 2],
      ["Error: attempt 3", 4],
      ["Error: attempt 4", 4],
    ]);
  });

  it("fails with the last error when the time is up", async () => {
    await expect(retry(attempts(9), { ...options, giveUpAfterMs: 0 })).rejects.toThrow("attempt 1");
  });

  it("is not waited for after a stop", async () => {
    const stop = new AbortController();
    const waiting = retry(attempts(9), {
      ...options,
      minWaitMs: 3_600_000,
      maxWaitMs: 3_600_000,
      onRetry: () => stop.abort(new Error("stopped")),
      stop: stop.signal,
    });
    await expect(waiting).rejects.toThrow("stopped");
  });
});
