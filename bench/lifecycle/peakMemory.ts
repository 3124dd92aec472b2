import { usageOfAll } from "../../test/kit/load/processUsage.ts";

/** Short compared with the time to read a page of rows. */
const everyMs = 50;

/** Bytes in memory of a process and its children, with what they share counted once, before a piece of work, and the most while it ran. */
export type PeakMemory = { readonly idleBytes: number; readonly peakBytes: number };

/** The memory of processes while `work` runs. */
export async function watchMemory(
  pids: Readonly<Record<string, number>>,
  work: () => Promise<unknown>,
): Promise<Readonly<Record<string, PeakMemory>>> {
  const names = Object.keys(pids);
  const now = () => new Map(names.map((name) => [name, usageOfAll([pids[name] ?? 0]).residentBytes]));
  const idle = now();
  const peak = new Map(idle);
  const timer = setInterval(() => {
    for (const [name, bytes] of now()) peak.set(name, Math.max(bytes, peak.get(name) ?? 0));
  }, everyMs);
  try {
    await work();
    return Object.fromEntries(
      names.map((name) => [name, { idleBytes: idle.get(name) ?? 0, peakBytes: peak.get(name) ?? 0 }]),
    );
  } finally {
    clearInterval(timer);
  }
}
