import { DateTime } from "luxon";

/**
 * How QuestDB 9.3.4 names partitions, by the hour, day, week, month and year, and their directories. All knowledge of them is here;
 * test/store/partitionNames.test.ts compares it with real tables of each partitioning.
 *
 * | | partition | directory |
 * |-|-|-|
 * | as first written | `2026-11-21T07`, `2026-11-21`, `2026-W47`, `2026-11`, `2026` | the same |
 * | written again by transaction 31, or converted to or from Parquet by it | the same | `2026-W47.31` |
 * | the later part of one that was split | `2026-11-21T083005-499901`, of a week `2026-W47-6T083005-499901` | the same, or with `.31` |
 * | detached by an operator | `2026-W47.detached` | `2026-W47.detached` or `.attachable` |
 */
export type PartitionDirectory = {
  /** The name in `table_partitions`. */
  readonly partition: string;
  /** The transaction that wrote it; -1 when the name has none, which is older than all others. */
  readonly transaction: number;
};

const partitionDirectory =
  /^(\d{4}(?:-\d{2}(?:-\d{2}(?:T\d+(?:-\d+)?)?)?|-W\d{2}(?:-\d(?:T\d+(?:-\d+)?)?)?)?)(?:\.(\d+))?$/;

/** Copies that an operator keeps next to the table: like backups, they are not part of it. */
const operatorsCopy = /^\d{4}.*\.(?:detached|attachable)$/;

/**
 * The partition of a directory below a table's; undefined for directories that hold none. Throws for a name that looks
 * like a partition but has an unknown form: ignoring it would claim that its bytes are gone.
 */
export function readPartitionDirectory(name: string): PartitionDirectory | undefined {
  const match = partitionDirectory.exec(name);
  if (match?.[1] !== undefined) return { partition: match[1], transaction: Number(match[2] ?? -1) };
  if (/^\d/.test(name) && !operatorsCopy.test(name))
    throw new Error(`QuestDB has a directory ${name} of an unknown kind, so its content cannot be verified`);
  return undefined;
}

/** The names of the partitions that may hold a UTC day (YYYY-MM-DD), for tables partitioned by day or by week. */
export function partitionsOfDay(day: string): { readonly day: string; readonly week: string } {
  return { day, week: DateTime.fromISO(day, { zone: "utc" }).toFormat("kkkk-'W'WW") };
}

/** Whether a partition is the given one or a part that was split off it. */
export function isPartOf(name: string, partition: string): boolean {
  return name === partition || name.startsWith(`${partition}${partition.includes("W") ? "-" : "T"}`);
}

/**
 * Directories of a table that are no longer read: older versions of partitions, and partitions that were dropped or
 * merged. Read `names` before `live`, the names of the table's partitions.
 */
export function stalePartitionDirectories(names: readonly string[], live: ReadonlySet<string>): string[] {
  const found = names.flatMap((name) => {
    const directory = readPartitionDirectory(name);
    return directory === undefined ? [] : [{ name, ...directory }];
  });
  const newest = new Map<string, number>();
  for (const { partition, transaction } of found)
    newest.set(partition, Math.max(transaction, newest.get(partition) ?? -1));
  return found.flatMap(({ name, partition, transaction }) =>
    live.has(partition) && transaction === newest.get(partition) ? [] : [name],
  );
}
