import { retry } from "../src/concurrency/retry.ts";
import { exitCodes } from "../src/errors/startFailure.ts";
import { StackError } from "./error.ts";

/**
 * Runs `check` until it no longer throws. Rejects with the last error of `check` after `timeoutMs`, and with the abort's
 * reason.
 */
export async function pollUntil(check: () => Promise<void>, timeoutMs: number, signal: AbortSignal): Promise<void> {
  // To find out who listens on a port, Linux passes over all of its connections: asked every 50 ms, that took 2 % of the time of the long tests.
  const often = { minWaitMs: 50, maxWaitMs: 200, onRetry: () => undefined };
  await retry(check, { ...often, giveUpAfterMs: timeoutMs, stop: signal });
}

/** Waits for a server that is not ours. Rejects with a StackError that names the settings if it does not answer in time. */
export async function waitForGiven(
  settings: string,
  check: () => Promise<void>,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<void> {
  try {
    await pollUntil(check, timeoutMs, signal);
  } catch (error) {
    signal.throwIfAborted();
    throw new StackError(
      `What ${settings} names did not answer within ${timeoutMs / 1_000} s: ${reasonOf(error)}. Start it, correct ${settings}, or set STACK_READY_TIMEOUT_MS to more.`,
      exitCodes.failed,
    );
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(", ");
  if (!(error instanceof Error)) return String(error);
  const message = error.message || error.name;
  return error.cause instanceof Error ? `${message} (${reasonOf(error.cause)})` : message;
}
