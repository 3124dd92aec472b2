import type { AnyTable } from "./tables.ts";

/** What QuestDB can run out of (`errorTag` of wal_tables()), and how an operator helps. */
const remedyOfShortage: Readonly<Record<string, string>> = {
  "DISK FULL": "free space on QuestDB's disk",
  "OUT OF MEMORY": "give QuestDB more memory",
  "TOO MANY OPEN FILES": "raise QuestDB's limit of open files (ulimit -n)",
  "OUT OF MMAP AREAS": "raise vm.max_map_count (sysctl) on QuestDB's machine",
};

/**
 * The wait before attempt number `attempts` + 1 to resume a table, ms. Attempts never end, whatever the reason: a full
 * disk is often reported without its tag ("bulk update failed"), and a failed attempt changes nothing.
 */
export function retryWaitMs(attempts: number): number {
  return Math.min(30_000, 1_000 * 2 ** attempts);
}

/** What an operator should do about a suspended table. */
export function remedyFor(table: AnyTable, errorTag: string, reason: string): string {
  if (reason.startsWith("cannot remove index")) return "see docs/operate/troubles.md#an-index-that-cannot-be-removed";
  const remedy =
    remedyOfShortage[errorTag] ?? "make sure that QuestDB's disk has room, or remove the cause that QuestDB names";
  return `${remedy}; the table is then resumed within 30 s, or at once by: ALTER TABLE ${table} RESUME WAL`;
}
