import type { TableName } from "../tables.ts";

/** What QuestDB can run short of (`errorTag` of wal_tables()), and how an operator helps. It may come back at any time. */
const remedyOfShortage: Readonly<Record<string, string>> = {
  "DISK FULL": "free space on QuestDB's disk",
  "OUT OF MEMORY": "give QuestDB more memory",
  "TOO MANY OPEN FILES": "raise QuestDB's limit of open files (ulimit -n)",
  "OUT OF MMAP AREAS": "raise vm.max_map_count (sysctl) on QuestDB's machine",
};

/** Attempts to resume a table that is suspended for a reason that time may not heal. */
const mostAttempts = 6;

/** Whether to try once more: a shortage may end at any time, so it is tried without end. */
export function mayRetry(errorTag: string, attempts: number): boolean {
  return errorTag in remedyOfShortage || attempts < mostAttempts;
}

/** The wait before attempt number `attempts` + 1, ms. */
export function retryWaitMs(attempts: number): number {
  return Math.min(30_000, 1_000 * 2 ** attempts);
}

/** What the operator of a suspended table should do. */
export function remedyFor(table: TableName, errorTag: string): string {
  const remedy = remedyOfShortage[errorTag];
  return remedy === undefined
    ? `remove the cause that QuestDB names, then run: ALTER TABLE ${table} RESUME WAL`
    : `${remedy}; the table is then resumed by itself`;
}
