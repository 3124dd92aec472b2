import { readdirSync, readFileSync } from "node:fs";

/** SIGSTOP or SIGCONT for a process and its children: those of PostgreSQL lead process groups of their own. */
export function signalFamily(processId: number, signal: "SIGSTOP" | "SIGCONT"): void {
  for (const id of [processId, ...childrenOf(processId)])
    try {
      process.kill(id, signal);
    } catch {
      // It has ended meanwhile.
    }
}

function childrenOf(processId: number): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((id) => id > 0 && parentOf(id) === processId);
}

function parentOf(processId: number): number | undefined {
  try {
    return Number(/^PPid:\t(\d+)$/m.exec(readFileSync(`/proc/${processId}/status`, "utf8"))?.[1]);
  } catch {
    return undefined;
  }
}
