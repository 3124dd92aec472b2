export type Pulse<T> = {
  readonly ask: (signal: AbortSignal) => Promise<T>;
  readonly everyMs: number;
  /** An answer that takes longer is missing. */
  readonly patienceMs: number;
  readonly onAnswer: (answer: T) => void;
  /** Called once an answer is missing or has failed. */
  readonly onSilence: () => void;
};

/** Asks from time to time until it is stopped, so that figures are not called live while nothing is answered. Never rejects. */
export async function keepPulse<T>(pulse: Pulse<T>, stop: AbortSignal): Promise<void> {
  const { ask, everyMs, patienceMs, onAnswer, onSilence } = pulse;
  while (!stop.aborted) {
    await pause(everyMs, stop);
    if (stop.aborted) return;
    const late = setTimeout(() => {
      if (!stop.aborted) onSilence();
    }, patienceMs);
    try {
      const answer = await ask(stop);
      if (!stop.aborted) onAnswer(answer);
    } catch {
      if (!stop.aborted) onSilence();
    } finally {
      clearTimeout(late);
    }
  }
}

/** Ends early when the device is online again. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(wake);
      removeEventListener("online", done);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const wake = setTimeout(done, ms);
    addEventListener("online", done);
    signal.addEventListener("abort", done);
  });
}
