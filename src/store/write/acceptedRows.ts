import type { TableRow } from "../questdb/tables.ts";

/** The door of all rows that a process accepts: RowLog with one QuestDB, BrokeredRows with brokers. */
export type AcceptedRows = {
  /**
   * Resolves when the rows, received at `receivedMs` (Unix ms), are durable: they will be stored. Rejects with StoreFailure when
   * they are not taken, and after close.
   */
  write(rows: readonly TableRow[], receivedMs?: number): Promise<void>;
  /** Keeps rows that were not taken in memory, if there is room. False when there is none. */
  tryUnlogged(rows: readonly TableRow[], receivedMs?: number): boolean;
  /** Unix ms: no waiting row was received before this time. Undefined when none waits. */
  readonly oldestMs: number | undefined;
  close(): Promise<void>;
};
