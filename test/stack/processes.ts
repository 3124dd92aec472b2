import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** Process ids of all that was started for a directory: named in its arguments or environment, or its working directory. */
export function processesOf(directory: string): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid && belongsTo(pid, directory));
}

function belongsTo(pid: number, directory: string): boolean {
  return (
    readlink(`/proc/${pid}/cwd`).startsWith(directory) ||
    [`/proc/${pid}/cmdline`, `/proc/${pid}/environ`].some((file) => read(file).includes(directory))
  );
}

/** A process may end meanwhile; then it is ignored. */
function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

function readlink(file: string): string {
  try {
    return readlinkSync(file);
  } catch {
    return "";
  }
}
