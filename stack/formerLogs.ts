import { readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** A part that crashes repeatedly has the cause in the first of its logs. */
const kept = 5;

/**
 * Moves a log away before its part starts again, to a name with the time of its last line: `api.log` becomes
 * `api.20261124T003512345Z.log`. The newest five are kept. Never rejects: a part starts even if this fails.
 */
export async function keepFormerLog(file: string): Promise<void> {
  try {
    const { mtime, size } = await stat(file);
    if (size === 0) return;
    const directory = dirname(file);
    const name = basename(file, ".log");
    await rename(file, join(directory, `${name}.${mtime.toISOString().replace(/[-:.]/g, "")}.log`));
    for (const old of (await formerLogs(file)).slice(0, -kept)) await rm(old, { force: true });
  } catch {
    // There is none, or the disk fails; the part that starts now will report that.
  }
}

/** The logs of earlier runs, oldest first. */
export async function formerLogs(file: string): Promise<string[]> {
  const start = `${basename(file, ".log")}.`;
  const names = await readdir(dirname(file));
  return names
    .filter((name) => name.startsWith(start) && /^\d{8}T\d{9}Z\.log$/.test(name.slice(start.length)))
    .sort()
    .map((name) => join(dirname(file), name));
}
