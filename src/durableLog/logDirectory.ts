import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rmdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import { whenMissing } from "../errors/errorCode.ts";
import { damagedDirectoryName } from "./damagedFiles.ts";
import { type DirectoryLock, lockDirectory } from "./directoryLock.ts";
import { positionFileName, readPosition } from "./positionFile.ts";

/** A file of a log by its name. Everything before `start` is committed. */
export type NamedFile = { readonly path: string; readonly number: number; readonly start: number };

/** A directory owned by this process alone, and its uncommitted files, oldest first. */
export type LogDirectory = {
  readonly path: string;
  readonly files: readonly NamedFile[];
  /** New files need a higher number: the position says that files up to this one are committed. */
  readonly lastNumber: number;
  /** Directories of ended processes whose files were moved here. */
  readonly takenOver: readonly string[];
  release(): Promise<void>;
};

/**
 * Opens a directory below `root` and takes over the files of ended processes: the first such directory becomes this process's
 * own, and the files of the others are moved into it. After a crash in between each file is in one of the two places.
 */
export async function openLogDirectory(root: string): Promise<LogDirectory> {
  await mkdir(root, { recursive: true, mode: 0o700 });
  let own: { path: string; lock: DirectoryLock } | undefined;
  let lastNumber = 0;
  const files: NamedFile[] = [];
  const takenOver: string[] = [];
  for (const path of await directoriesIn(root)) {
    const lock = await lockOf(path);
    if (lock === undefined) continue;
    const found = await uncommittedFiles(path);
    if (own === undefined) {
      own = { path, lock };
      files.push(...found.files);
      lastNumber = found.lastNumber;
      continue;
    }
    for (const { path: from, start } of found.files) {
      lastNumber += 1;
      const to = logFilePath(own.path, lastNumber, start);
      await rename(from, to);
      files.push({ path: to, number: lastNumber, start });
    }
    await unlink(join(path, positionFileName)).catch(() => undefined);
    // It may contain files that are not ours; then it stays.
    await rmdir(path).catch(() => undefined);
    await lock.release();
    takenOver.push(path);
  }
  const { path, lock } = own ?? (await makeDirectory(root));
  return { path, files, lastNumber, takenOver, release: () => lock.release() };
}

export function logFilePath(directory: string, number: number, start = 0): string {
  return join(directory, `${String(number).padStart(12, "0")}${start === 0 ? "" : `-${start}`}.log`);
}

/** Files of a log directory with uncommitted records. Committed files are deleted. */
async function uncommittedFiles(directory: string): Promise<Pick<LogDirectory, "files" | "lastNumber">> {
  const position = await readPosition(directory);
  const all = await logFilesIn(directory);
  const lastNumber = Math.max(all.at(-1)?.number ?? 0, position?.file ?? 0);
  const files: NamedFile[] = [];
  for (const file of all) {
    if (position === undefined || file.number > position.file) files.push(file);
    else if (file.number === position.file) files.push({ ...file, start: Math.max(file.start, position.offset) });
    else await unlink(file.path).catch(() => undefined);
  }
  return { files, lastNumber };
}

/** All files of a log directory, oldest first. */
async function logFilesIn(directory: string): Promise<NamedFile[]> {
  const names = await readdir(directory);
  return names.sort().flatMap((name) => {
    const [, number, start] = /^(\d{12})(?:-(\d+))?\.log$/.exec(name) ?? [];
    if (number === undefined) return [];
    return { path: join(directory, name), number: Number(number), start: Number(start ?? 0) };
  });
}

/** The files below a log's root with uncommitted records, whichever process owns them. */
export async function uncommittedFilesBelow(root: string): Promise<NamedFile[]> {
  const files: NamedFile[] = [];
  for (const directory of (await directoriesIn(root).catch(whenMissing)) ?? []) {
    const position = await readPosition(directory);
    for (const file of (await logFilesIn(directory).catch(whenMissing)) ?? [])
      if (position === undefined || file.number >= position.file) files.push(file);
  }
  return files;
}

async function directoriesIn(root: string): Promise<string[]> {
  const entries = await readdir(root, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory() && entry.name !== damagedDirectoryName)
    .map(({ name }) => join(root, name))
    .sort();
}

async function makeDirectory(root: string): Promise<{ path: string; lock: DirectoryLock }> {
  for (;;) {
    const path = join(root, randomBytes(6).toString("hex"));
    await mkdir(path, { mode: 0o700 });
    const lock = await lockOf(path);
    // Another process that is starting may have considered it abandoned.
    if (lock !== undefined) return { path, lock };
  }
}

/** Locks a directory; undefined if it no longer exists once it is locked. */
async function lockOf(path: string): Promise<DirectoryLock | undefined> {
  try {
    const lock = await lockDirectory(path);
    if (lock === undefined || existsSync(path)) return lock;
    await lock.release();
    return undefined;
  } catch (error) {
    // It was taken over and removed meanwhile.
    if (!existsSync(path)) return undefined;
    throw error;
  }
}
