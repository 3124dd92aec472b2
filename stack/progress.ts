/** The output for the person at the terminal. */
export type Log = (line: string) => void;

const repeatMs = 5_000;

/**
 * Runs `work` and reports it: a line at its start, one every 5 seconds, one at its end.
 *
 * `note` in `work` sets the end of the repeated lines, for example to the last line of a tool's output.
 */
export async function step<T>(log: Log, label: string, work: (note: (text: string) => void) => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  let lastNote = "";
  log(`${label} ...`);
  const timer = setInterval(() => {
    log(`${label} ... ${elapsed(startedAt)}${lastNote && ` (${lastNote})`}`);
  }, repeatMs);
  try {
    const result = await work((text) => {
      lastNote = text.trim().slice(0, 80);
    });
    log(`${label}: done in ${elapsed(startedAt)}`);
    return result;
  } finally {
    clearInterval(timer);
  }
}

/** Time since `startedAt` (of performance.now()) for people: "4.2 s", "3 min 5 s". */
export function elapsed(startedAt: number, now = performance.now()): string {
  const seconds = (now - startedAt) / 1_000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
}
