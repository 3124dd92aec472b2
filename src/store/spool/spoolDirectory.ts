import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { type DirectoryLock, lockDirectory } from "./directoryLock.ts";

/** A directory that is this process's alone, and the segments in it, oldest first. */
export type SpoolDirectory = {
  readonly path: string;
  readonly segmentPaths: readonly string[];
  /** Directories whose segments were moved here. */
  readonly takenOver: readonly string[];
  release(): Promise<void>;
};

/**
 * Opens a spool below `root` and takes over what ended processes left there: the first such directory becomes this process's own, the
 * segments of the others are moved into it. A crash on the way leaves each segment in one place or the other.
 */
export async function openSpoolDirectory(root: string): Promise<SpoolDirectory> {
  await mkdir(root, { recursive: true, mode: 0o700 });
  let own: { path: string; lock: DirectoryLock } | undefined;
  const segmentPaths: string[] = [];
  const takenOver: string[] = [];
  for (const path of await directoriesOf(root)) {
    const lock = await lockOf(path);
    if (lock === undefined) continue;
    if (own === undefined) {
      own = { path, lock };
      segmentPaths.push(...(await segmentsOf(path)));
      continue;
    }
    for (const from of await segmentsOf(path)) {
      const to = nextSegmentPath(own.path, segmentPaths);
      await rename(from, to);
      segmentPaths.push(to);
    }
    // It may hold something that is not ours; then it stays.
    await rmdir(path).catch(() => undefined);
    await lock.release();
    takenOver.push(path);
  }
  own ??= await makeDirectory(root);
  const { path, lock } = own;
  return { path, segmentPaths, takenOver, release: () => lock.release() };
}

/** A name that sorts after all of the given ones. */
export function nextSegmentPath(directory: string, segmentPaths: readonly string[]): string {
  const last = segmentPaths.at(-1);
  const number = last === undefined ? 0 : Number.parseInt(last.slice(-digits - suffix.length), 10);
  return join(directory, `${String(number + 1).padStart(digits, "0")}${suffix}`);
}

const digits = 12;
const suffix = ".spool";

async function directoriesOf(root: string): Promise<string[]> {
  const entries = await readdir(root, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(root, name))
    .sort();
}

async function segmentsOf(path: string): Promise<string[]> {
  const names = await readdir(path);
  return names
    .filter((name) => /^\d{12}\.spool$/.test(name))
    .sort()
    .map((name) => join(path, name));
}

async function makeDirectory(root: string): Promise<{ path: string; lock: DirectoryLock }> {
  for (;;) {
    const path = join(root, randomBytes(6).toString("hex"));
    await mkdir(path, { mode: 0o700 });
    const lock = await lockOf(path);
    // Another process that starts right now may have taken it for a dead one's.
    if (lock !== undefined) return { path, lock };
  }
}

/** The lock of a directory that is still there once it is locked. */
async function lockOf(path: string): Promise<DirectoryLock | undefined> {
  try {
    const lock = await lockDirectory(path);
    if (lock === undefined || existsSync(path)) return lock;
    await lock.release();
    return undefined;
  } catch (error) {
    // It was taken over and removed in between.
    if (!existsSync(path)) return undefined;
    throw error;
  }
}
