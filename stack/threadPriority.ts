import { readdir, readFile } from "node:fs/promises";
import { setPriority } from "node:os";
import { join } from "node:path";

/**
 * Sets the priority of a process's threads whose names begin with `name`, from 0 (the default) to 19 (the lowest). Lowering it
 * needs no privilege. Only Linux has priorities of threads; elsewhere, or without permission, nothing changes. Resolves with the
 * number of changed threads.
 */
export async function setThreadPriority(processId: number, name: string, priority: number): Promise<number> {
  const tasks = `/proc/${processId}/task`;
  let changed = 0;
  for (const thread of await readdir(tasks).catch(() => []))
    try {
      if (!(await readFile(join(tasks, thread, "comm"), "utf8")).startsWith(name)) continue;
      setPriority(Number(thread), priority);
      changed += 1;
    } catch {
      // It has ended, or may not be changed.
    }
  return changed;
}
