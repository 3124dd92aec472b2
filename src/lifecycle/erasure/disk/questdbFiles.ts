import { readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { readPartitionDirectory, stalePartitionDirectories } from "../../../store/questdb/partitionNames.ts";

/**
 * Directories of a table that may hold erased rows: every segment of its write-ahead log, and old versions of
 * partitions that were rewritten, dropped or merged. QuestDB deletes all of them in time; what replaces them was
 * written later. `tablePath` is the table's directory below QuestDB's data root; `readLive` returns the names of the
 * table's partitions.
 */
export async function staleDirectories(
  tablePath: string,
  readLive: () => Promise<ReadonlySet<string>>,
): Promise<string[]> {
  const names = await readdir(tablePath);
  const segments: string[] = [];
  for (const name of names.filter((one) => /^wal\d+$/.test(one))) {
    const numbers = await readdir(join(tablePath, name)).catch(() => []);
    segments.push(...numbers.filter((one) => /^\d+$/.test(one)).map((one) => join(tablePath, name, one)));
  }
  const stale = stalePartitionDirectories(names, await readLive());
  return [...segments, ...stale.map((name) => join(tablePath, name))];
}

/** Whether a directory of `staleDirectories` is a segment of the write-ahead log: as long as it exists it may hold erased rows. */
export function isSegment(path: string): boolean {
  return /^wal\d+$/.test(basename(dirname(path)));
}

/**
 * Partitions of a table that hold a column in several files: one is in use, the others are older versions or left by an
 * UPDATE that was killed.
 */
export async function partitionsWithOldFiles(tablePath: string): Promise<string[]> {
  const names = await readdir(tablePath);
  const isPartition = (name: string) => readPartitionDirectory(name) !== undefined;
  const partitions = names.filter(isPartition).map((name) => join(tablePath, name));
  const crowded = await Promise.all(partitions.map(hasOldFiles));
  return partitions.filter((_, index) => crowded[index]);
}

/** Whether a partition's directory exists and holds a column in several files. */
export async function hasOldFiles(partitionPath: string): Promise<boolean> {
  const files = await readdir(partitionPath).catch(() => []);
  const columns = files.flatMap((name) => columnFile.exec(name)?.[1] ?? []);
  return new Set(columns).size < columns.length;
}

/** Column, kind of file, and the transaction that wrote it (none in the first version). */
const columnFile = /^(.+\.[a-z]+)(?:\.\d+)?$/;
