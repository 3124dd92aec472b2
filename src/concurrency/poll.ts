import { setTimeout as pause } from "node:timers/promises";

/**
 * Repeats `check` until its result is neither undefined nor false, and resolves with that result. Rejects with what
 * `check` throws, and with AbortError when `signal` aborts during a pause.
 */
export async function poll<T>(
  check: () => Promise<T | undefined | false>,
  signal: AbortSignal,
  pauseMs = 500,
): Promise<T> {
  for (;;) {
    const result = await check();
    if (result !== undefined && result !== false) return result;
    await pause(pauseMs, undefined, { signal });
  }
}

/**
 * Runs `work` at once and then every `everyMs` until `signal` aborts; it resolves then. A failure is given to
 * `onFailure`, and the next time comes all the same. The waiting does not keep the process running.
 */
export async function repeat(
  work: () => Promise<unknown>,
  everyMs: number,
  signal: AbortSignal,
  onFailure: (error: unknown) => void,
): Promise<void> {
  while (!signal.aborted) {
    await attempt(work, onFailure);
    await pause(everyMs, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

/**
 * Runs `work` every `everyMs`, first after that time, and once more when `signal` aborts, so that nothing that was gathered in between
 * is lost; it resolves then. A failure is given to `onFailure`. The waiting does not keep the process running.
 */
export async function flushEvery(
  work: () => Promise<unknown>,
  everyMs: number,
  signal: AbortSignal,
  onFailure: (error: unknown) => void,
): Promise<void> {
  let isLast = false;
  while (!isLast) {
    await pause(everyMs, undefined, { signal, ref: false }).catch(() => undefined);
    isLast = signal.aborted;
    await attempt(work, onFailure);
  }
}

async function attempt(work: () => Promise<unknown>, onFailure: (error: unknown) => void): Promise<void> {
  try {
    await work();
  } catch (error) {
    onFailure(error);
  }
}
