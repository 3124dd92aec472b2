import { expect } from "vitest";
import type { ProbeAnswer, ProbeMessage } from "../../kit/largest/loopProbe.ts";
import type { ApiProcess } from "../../kit/stack/apiProcess.ts";

/**
 * How long one request may block all others. Measured as CPU time, see loopProbe.ts, and of several attempts the shortest
 * counts: compiling code and collecting garbage come and go, while an algorithm that blocks does so each time.
 */
const maxBlockedMs = 50;
const attempts = 8;

/** Expects that the event loop of the API, which was started with loopProbe.ts, is not blocked while it answers. */
export async function expectServesOthers(api: ApiProcess, ask: () => Promise<unknown>): Promise<void> {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < attempts && least > maxBlockedMs; attempt += 1)
    least = Math.min(least, await blockedMs(api, ask));
  expect(least).toBeLessThanOrEqual(maxBlockedMs);
}

/** The longest time for which the event loop of the API was blocked while it answered, in ms of CPU time. */
async function blockedMs({ child }: ApiProcess, ask: () => Promise<unknown>): Promise<number> {
  const say = (loopProbe: ProbeMessage["loopProbe"]) => child.send({ loopProbe } satisfies ProbeMessage);
  say("begin");
  await ask();
  const answer = new Promise<ProbeAnswer>((resolve) => child.once("message", resolve));
  say("end");
  return (await answer).longestMs;
}
