import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";

/**
 * Directories of a table that may hold what was erased: every segment of its write-ahead log, and partitions that were written anew while
 * somebody read them. All of them are gone in a while, and what takes their place was written later. `tablePath` is the table's directory
 * below QuestDB's data root.
 */
export async function staleDirectories(tablePath: string): Promise<string[]> {
  const names = await readdir(tablePath);
  const segments: string[] = [];
  for (const name of names.filter((one) => /^wal\d+$/.test(one))) {
    const numbers = await readdir(join(tablePath, name)).catch(() => []);
    segments.push(...numbers.filter((one) => /^\d+$/.test(one)).map((one) => join(tablePath, name, one)));
  }
  return [...segments, ...olderPartitions(names).map((name) => join(tablePath, name))];
}

/** Partitions of a table that hold a column in several files: one is read, the others are from before or of an UPDATE that was killed. */
export async function crowdedPartitions(tablePath: string): Promise<string[]> {
  const names = await readdir(tablePath);
  const partitions = names.filter((name) => partitionName.test(name)).map((name) => join(tablePath, name));
  const crowded = await Promise.all(partitions.map(isCrowded));
  return partitions.filter((_, index) => crowded[index]);
}

/** Whether a partition that is there holds a column in several files. */
export async function isCrowded(partitionPath: string): Promise<boolean> {
  const files = await readdir(partitionPath).catch(() => []);
  const columns = files.flatMap((name) => columnFile.exec(name)?.[1] ?? []);
  return new Set(columns).size < columns.length;
}

/** Column and kind of file, and the transaction that wrote it, without one at first. */
const columnFile = /^(.+\.[a-z]+)(?:\.\d+)?$/;

/** Those of the directories that are still there. */
export function stillThere(directories: readonly string[]): string[] {
  return directories.filter((path) => existsSync(path));
}

const partitionName = /^(\d{4}-\d{2}-\d{2}(?:T\d+(?:-\d+)?)?)(?:\.(\d+))?$/;

/** Partitions of which there is a newer one: a partition is named `<day>.<transaction that wrote it>`, or `<day>` at first. */
export function olderPartitions(names: readonly string[]): string[] {
  const newestOf = new Map<string, number>();
  const partitions = names.flatMap((name) => {
    const match = partitionName.exec(name);
    return match?.[1] === undefined ? [] : [{ name, partition: match[1], transaction: Number(match[2] ?? -1) }];
  });
  for (const { partition, transaction } of partitions)
    newestOf.set(partition, Math.max(transaction, newestOf.get(partition) ?? -1));
  return partitions.flatMap(({ name, partition, transaction }) =>
    transaction < (newestOf.get(partition) ?? -1) ? [name] : [],
  );
}
