import { readdirSync, readFileSync } from "node:fs";

/** Of a process so far: CPU seconds, and bytes in memory now. */
export type Usage = { readonly cpuSeconds: number; readonly residentBytes: number };

/** Linux counts in ticks of 10 ms (USER_HZ) on every machine that Node runs on. */
const ticksPerSecond = 100;

/** The child of this process whose command line contains `part`. */
export function childWith(part: string): number {
  const found = readdirSync("/proc").find(
    (name) => /^\d+$/.test(name) && parentOf(name) === process.pid && read(name, "cmdline").includes(part),
  );
  if (found === undefined) throw new Error(`No child of this process runs ${part}`);
  return Number(found);
}

/** Of processes and all that they have started, also what has ended, together. Memory that several of them share counts once. */
export function usageOfAll(pids: readonly number[]): Usage {
  const all = pids.flatMap((pid) => [pid, ...descendantsWith(pid, "")]);
  return {
    cpuSeconds: all.reduce((sum, pid) => sum + (usageOf(pid).cpuSeconds || 0) + endedCpuSeconds(pid), 0),
    residentBytes: all.reduce((sum, pid) => sum + proportionalBytes(pid), 0),
  };
}

/** Of children that have ended and these in turn, such as connections of PostgreSQL. */
function endedCpuSeconds(pid: number): number {
  // proc_pid_stat(5): cutime and cstime are fields 16 and 17.
  const [user = 0, system = 0] = statFields(String(pid)).slice(13, 15).map(Number);
  return (user + system) / ticksPerSecond;
}

/** What is shared counts in parts (Pss of proc_pid_smaps_rollup(5)). */
function proportionalBytes(pid: number): number {
  return Number(/^Pss:\s+(\d+) kB/m.exec(read(String(pid), "smaps_rollup"))?.[1] ?? 0) * 1_024;
}

export function usageOf(pid: number): Usage {
  const fields = statFields(String(pid));
  const resident = /^VmRSS:\s+(\d+) kB/m.exec(read(String(pid), "status"))?.[1];
  // proc_pid_stat(5): utime and stime are fields 14 and 15.
  return {
    cpuSeconds: (Number(fields[11]) + Number(fields[12])) / ticksPerSecond,
    residentBytes: Number(resident) * 1_024,
  };
}

/** The processes that a process started, and these in turn, whose command line contains `part`. */
export function descendantsWith(pid: number, part: string): number[] {
  return childrenOf(pid).flatMap((child) => [
    ...(read(String(child), "cmdline").includes(part) ? [child] : []),
    ...descendantsWith(child, part),
  ]);
}

/** CPU seconds that all processes of the machine have taken so far. */
export function machineCpuSeconds(): number {
  const [, ...ticks] = (readFileSync("/proc/stat", "utf8").split("\n")[0] ?? "").split(/\s+/).map(Number);
  // proc_stat(5): user, nice, system, idle, iowait, irq, softirq.
  const busy = [0, 1, 2, 5, 6].reduce((sum, place) => sum + (ticks[place] ?? 0), 0);
  return busy / ticksPerSecond;
}

function parentOf(pid: string): number {
  return Number(statFields(pid)[1]);
}

/** The fields from the third on; the second may contain spaces. */
function statFields(pid: string): string[] {
  return read(pid, "stat").split(") ").at(-1)?.split(" ") ?? [];
}

/** None for a process that has ended. */
function childrenOf(pid: number): number[] {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    return threads.flatMap((thread) =>
      read(String(pid), `task/${thread}/children`).split(" ").filter(Boolean).map(Number),
    );
  } catch {
    return [];
  }
}

/** Empty for a process that has ended. */
function read(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}
