/** The output of the backup commands. */

/** Progress is shown this often. */
const progressMs = 2_000;

export function show(line: string): void {
  console.log(`[lookout] ${line}`);
}

/** Shows progress every two seconds. */
export function shownEvery(what: string): (text: string) => void {
  let shownMs = performance.now();
  return (text) => {
    if (performance.now() - shownMs < progressMs) return;
    shownMs = performance.now();
    show(`${what} ... ${text}`);
  };
}

export function megabytes(bytes: number): string {
  return (bytes / 1e6).toLocaleString("en", { maximumFractionDigits: 1 });
}

/** Seconds since `startedMs` of performance.now(). */
export function secondsSince(startedMs: number): string {
  return ((performance.now() - startedMs) / 1_000).toFixed(1);
}
