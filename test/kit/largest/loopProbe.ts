/**
 * Loaded into an API process with `--import`: measures the longest time for which its event loop was blocked.
 *
 * The time is CPU time of the loop's own thread between two firings of a timer of 1 ms. Wall-clock time would also count what other
 * processes of a busy machine take, and `monitorEventLoopDelay` counts just that; CPU time of a thread does not grow while it waits.
 * Anything that delays the timer is counted: this code, the driver, the garbage collector.
 */
import process from "node:process";

/** Messages from a test to the process, and its answers. */
export type ProbeMessage = { readonly loopProbe: "begin" | "end" };
export type ProbeAnswer = { readonly longestMs: number };

let before = cpuMs();
let longestMs = 0;

setInterval(() => {
  const now = cpuMs();
  longestMs = Math.max(longestMs, now - before);
  before = now;
}, 1).unref();

process.on("message", (message: Partial<ProbeMessage>) => {
  if (message.loopProbe === undefined) return;
  if (message.loopProbe === "end") process.send?.({ longestMs } satisfies ProbeAnswer);
  longestMs = 0;
});
// Listening must not keep a process alive that has ended its work.
process.channel?.unref();

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
